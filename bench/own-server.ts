/** The API server alone, in a process and a directory of its own, for as long as a measurement takes. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClusterAccess } from '@podvisor/kube';
import { ServerProcess } from '../test/robustness/server-process.ts';

export async function withOwnServer<T>(
  body: (access: ClusterAccess, rss: () => number) => Promise<T>,
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-bench-'));
  try {
    await using server = new ServerProcess(directory, directory, await freePort(), {});
    await server.buildAndStart();
    const { port, ca, certificate, key } = server.access;
    const access = { server: `https://127.0.0.1:${port}`, ca, certificate, key };
    return await body(access, () => residentBytes(server.pid ?? 0));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function residentBytes(pid: number): number {
  const match = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? 0) * 1024;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
