/**
 * How much of a migration may be on its way. What is queued when the guest stops has to arrive before anything else can
 * be done for it (QEMU on the target does not look at its disks while memory comes in), so every byte here is downtime;
 * too little, and a fast network waits. A megabyte is enough for 10 Gbit/s over most of a millisecond.
 */
import type { Socket } from 'node:net';
import { limitUnsent, setReceiveBuffer, setSendBuffer } from '@podvisor/sys';

const ON_ITS_WAY_BYTES = 1024 * 1024;
const WAITING_BYTES = 128 * 1024;

/** The sender's end of a TCP connection between nodes. */
export function limitSender(tcp: Socket): void {
  limitUnsent(tcp, WAITING_BYTES);
}

/** The receiver's end. */
export function limitReceiver(tcp: Socket): void {
  setReceiveBuffer(tcp, ON_ITS_WAY_BYTES);
}

/** The socket of QEMU or libvirtd in the target's Pod: as much as one turn of the carrier brings. */
export function limitPod(unix: Socket): void {
  setSendBuffer(unix, 2 * WAITING_BYTES);
}
