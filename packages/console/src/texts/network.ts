/** The network of a guest, link by link. */
export const networkText = {
  interface: (name: string) => `Interface ${name}`,
  silentGateway: (address: string) => `Gateway ${address} does not answer the Pod: nothing gets in or out.`,
  traffic: (toGuest: string, fromGuest: string) => `to the guest ${toGuest}, from it ${fromGuest}`,
  rules: (count: number) => `${count} rules`,
  packets: (count: number) => `(${count} packets)`,
  roles: {
    'pod-nic': 'Interface of the Pod',
    bridge: 'Bridge',
    tap: 'TAP, QEMU’s end',
    passt: 'passt, over sockets of the Pod',
  },
  guest: 'Guest',
  there: 'there',
  missing: 'missing',
  noAddress: 'has taken no address yet',
  has: (addresses: string) => `has ${addresses}`,
  isTold: (address: string) => `is told ${address}`,
  dropped: (count: number) => `${count} packets dropped`,
};
