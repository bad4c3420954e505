#!/usr/bin/env bash
# The Python module, linked with the library of this build: its own tests, with the interpreter's checks on.
set -euo pipefail

python=
for candidate in /usr/bin/python3 python3; do
  if "$candidate" -c 'import cffi, numpy, setuptools' 2>/dev/null; then
    python=$candidate
    break
  fi
done
if [[ -z $python ]]; then
  echo "skipped: Python with cffi, numpy and setuptools was not found"
  exit 77
fi

libraries=$TOI_BUILD_DIR/libtoi.a
if grep -q '^TOI_WITH_GMP:BOOL=ON$' "$TOI_BUILD_DIR/CMakeCache.txt"; then
  libraries+=" -lgmp"
fi
export TOI_STATIC_LIBRARY=$libraries
module=$TOI_BUILD_DIR/python
(cd python && "$python" setup.py -q build --build-base "$TOI_BUILD_DIR/python-base" --build-lib "$module") \
  >"$TOI_BUILD_DIR/python.log" 2>&1 || {
  cat "$TOI_BUILD_DIR/python.log"
  exit 1
}
cd python/tests
PYTHONPATH=$module "$python" -X dev -W error::ResourceWarning -m unittest -q
cd ../..
PYTHONPATH=$module "$python" tests/package/snippets.py python -- README.md docs/start-*.md docs/python.md python/README.md
