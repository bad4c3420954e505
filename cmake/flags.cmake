# Flags for all of our own code. The proofs rest on IEEE arithmetic: no contraction anywhere, and no fast-math (an error
# in src/base/internal.h).

add_compile_options(-ffp-contract=off)
add_compile_definitions(_POSIX_C_SOURCE=200809L _DEFAULT_SOURCE)

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion
                    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>)
if(TOI_WERROR)
  add_compile_options(-Werror)
endif()

if(TOI_SANITIZE)
  add_compile_options(-fsanitize=${TOI_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TOI_SANITIZE})
endif()
