/** Says `ready`, then the sender of each UDP datagram that comes to the port, a line each, until it is ended. */
import { createSocket } from 'node:dgram';

const socket = createSocket('udp6', (_message, { address }) => console.log(address));
socket.bind(Number(process.argv[2]), () => console.log('ready'));
