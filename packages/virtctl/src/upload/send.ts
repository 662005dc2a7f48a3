/** Sends a file, or a part of one, to the upload proxy; what breaks on the way is tried again. */
import { createReadStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { request } from 'undici';
import { counting, Progress, type ProgressMode } from '../progress.ts';
import { say } from '../shell.ts';
import { type Place, POLL_MS } from './place.ts';
import { uploadProxy } from './proxy.ts';

export interface ProxyFlags {
  readonly uploadproxyUrl?: string;
  readonly insecure: boolean;
  readonly waitSecs: string;
  readonly retry: string;
  readonly datasource: boolean;
  readonly progress: ProgressMode;
  /** A part of the file: a member of an archive. */
  readonly imageOffset?: string;
  readonly imageBytes?: string;
}

export async function sendImage(
  { client, namespace, shell }: Place,
  name: string,
  file: string,
  flags: ProxyFlags,
): Promise<void> {
  const { url, headers, dispatcher } = await uploadProxy(
    client,
    namespace,
    name,
    { url: flags.uploadproxyUrl, insecure: flags.insecure },
    (base) => say(shell, `Uploading data to ${base}`),
  );
  const start = Number(flags.imageOffset ?? 0);
  const size = Number(flags.imageBytes ?? statSync(file).size);
  for (let left = Number(flags.retry); ; left -= 1) {
    const out = flags.progress === 'json' ? shell.stderr : shell.stdout;
    const progress = new Progress({ what: 'upload', mode: flags.progress, out, now: () => shell.now() });
    const response = await request(url, {
      method: 'POST',
      dispatcher,
      headers: {
        ...headers,
        'content-type': 'application/octet-stream',
        'content-length': String(size),
      },
      // Whichever end breaks, the other hears of it; who waits for the answer gets the error.
      body: pipeline(
        createReadStream(file, { start, end: start + size - 1 }),
        counting(progress, size),
        () => undefined,
      ),
    });
    const words = (await response.body.text()).slice(0, 1000);
    if (response.statusCode === 200) break;
    if (response.statusCode < 500 || left <= 0)
      throw new Error(`unexpected return value ${response.statusCode}, ${words}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  say(
    shell,
    'Uploading data completed successfully, waiting for processing to complete, you can hit ctrl-c without interrupting the progress',
  );
}
