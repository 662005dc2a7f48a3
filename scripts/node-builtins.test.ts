import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { build } from 'esbuild';
import { nodeBuiltins } from './node-builtins.ts';

const directory = mkdtempSync(join(tmpdir(), 'pv-builtins-'));
after(() => rmSync(directory, { recursive: true }));

/** What a program prints, bundled or as it is. */
async function said(program: string, isBundled: boolean): Promise<string> {
  const [source, out] = [join(directory, 'source.mjs'), join(directory, 'out.mjs')];
  writeFileSync(source, program);
  if (isBundled)
    await build({
      entryPoints: [source],
      outfile: out,
      bundle: true,
      platform: 'node',
      format: 'esm',
      plugins: [nodeBuiltins],
    });
  return execFileSync(process.execPath, [isBundled ? out : source], { encoding: 'utf8' });
}

test('a program that listens for HTTP does not load fetch, WebSocket and HTTP/2', async () => {
  const program = `import { createServer } from 'node:http';
    createServer();
    console.log(process.moduleLoadList.filter((name) => /undici|http2/.test(name)).length);`;
  assert.notEqual((await said(program, false)).trim(), '0', 'Node loads them, else none of this is needed');
  assert.equal((await said(program, true)).trim(), '0');
});

test('names, defaults, whole modules, late imports and names without a prefix mean what they meant', async () => {
  const program = `import { join, posix } from 'node:path';
    import path from 'path';
    import * as os from 'node:os';
    import { EventEmitter } from 'events';
    const { createHash } = await import('node:crypto');
    class Own extends EventEmitter {}
    console.log(join('a', 'b'), posix === path.posix, os.EOL === '\\n', new Own().listenerCount('x'),
      createHash('sha256').update('').digest('hex').slice(0, 8));`;
  assert.equal(await said(program, true), await said(program, false));
});
