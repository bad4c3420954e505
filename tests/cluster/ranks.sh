# shellcheck shell=bash
# What the tests with several ranks share. They source it first; without MPI they are skipped.

if [[ -z ${TOI_MPIEXEC:-} || ! -x ${TOI_MPIEXEC:-} ]]; then
  echo "skipped: no MPI (on Debian: libopenmpi-dev and openmpi-bin)"
  exit 77
fi

# Loopback and shared memory only, more ranks than cores, as whatever user this is. MPI's own memory is not ours to
# judge; helpers that wait give their core away.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_plm=isolated OMPI_MCA_oob_tcp_if_include=lo
export ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS:-} OMP_NUM_THREADS=1

# ranks N COMMAND...: within 60 seconds.
ranks() {
  timeout -k 5 60 "$TOI_MPIEXEC" -n "$@"
}

# times FULL: a count of rounds, scaled as other long tests are; at least one.
times() {
  awk -v full="$1" -v scale="${TOI_TEST_SCALE:-1}" 'BEGIN {n = int(full * scale); print (n > 1 ? n : 1)}'
}
