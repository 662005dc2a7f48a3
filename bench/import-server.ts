/** `import-server FILE`: serves the file on loopback and prints where, until it is ended. */
import { serveImage } from '../test/support/image-server.ts';

const { url } = await serveImage(process.argv[2] ?? '', '127.0.0.1');
console.log(url);
