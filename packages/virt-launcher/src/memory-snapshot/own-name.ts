/**
 * A function `rename` for the guest's shell: gives the guest the host name that is its argument, and fails unless it has
 * it then. Each process takes its time in an emulated guest, so the kernel is told directly where it can be. `file`:
 * where it shows the name.
 */
export const rename = (file = '/proc/sys/kernel/hostname'): string => String.raw`rename() {
  { echo "$1" > ${file}; } 2>/dev/null || hostname "$1" || return 1
  { read -r now < ${file}; } 2>/dev/null || now=$(hostname)
  [ "$now" = "$1" ]
}
`;
