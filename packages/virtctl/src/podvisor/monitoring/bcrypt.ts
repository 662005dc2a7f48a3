/**
 * A password as Prometheus keeps it. By the C library, through Perl, which Debian cannot be without; the password is
 * not on the command line.
 */
import { randomBytes } from 'node:crypto';
import { run } from '@podvisor/sys';

export async function bcrypt(password: string): Promise<string> {
  const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  // The last character of a salt carries four bits that must be zero; `O` does.
  const salt = [...randomBytes(21)].map((byte) => alphabet[byte % 64]).join('');
  const program = 'my $p = <STDIN>; print crypt($p, $ARGV[0])';
  const { stdout } = await run('perl', ['-e', program, `$2b$10$${salt}O`], { input: password });
  const hash = stdout.trim();
  if (!hash.startsWith('$2b$10$')) throw new Error('the C library of this machine has no bcrypt');
  return hash;
}
