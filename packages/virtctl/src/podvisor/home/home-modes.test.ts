import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { instancePaths } from '@podvisor/sys';
import { mendHomeModes, openModes } from './home-modes.ts';

test('a home of an older version is closed to others, which is said once; programs and certificates stay as they are', (t) => {
  const home = mkdtempSync(join(tmpdir(), 'podvisor-home-'));
  t.after(() => rmSync(home, { recursive: true }));
  const make = (file: string, mode: number): void => {
    mkdirSync(join(home, file, '..'), { recursive: true });
    writeFileSync(join(home, file), '');
    chmodSync(join(home, file), mode);
  };
  make('store.db', 0o644);
  make('store.db-wal', 0o644);
  make('kubeconfig', 0o600);
  make('pki/ca.crt', 0o644);
  make('pki/virt-api/server.key', 0o640);
  make('logs/cluster.log', 0o640);
  make('lib/node', 0o755);
  chmodSync(home, 0o711);
  const paths = instancePaths(home);
  const line = mendHomeModes(paths) ?? '';
  assert.match(line, /could read.*0711 → 0700.*store\.db 0644 → 0600/);
  const mode = (file: string): number => statSync(join(home, file)).mode & 0o777;
  assert.deepEqual(
    ['', 'store.db', 'store.db-wal', 'pki', 'pki/virt-api/server.key', 'logs/cluster.log'].map(mode),
    [0o700, 0o600, 0o600, 0o700, 0o600, 0o600],
  );
  assert.deepEqual([mode('pki/ca.crt'), mode('lib/node')], [0o644, 0o755]);
  assert.deepEqual(openModes(paths), []);
  assert.equal(mendHomeModes(paths), undefined);
});
