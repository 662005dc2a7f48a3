/** The supervisor as a program of its own: small, because it is there all the time. */
import { defaultHome } from '@podvisor/sys';
import { supervise } from './supervise.ts';

try {
  await supervise(defaultHome());
  process.exit(0);
} catch (error) {
  console.error(error);
  process.exit(1);
}
