/** image-upload dv|pvc: a local image into a new or waiting volume, through CDI's upload proxy. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { openSession } from '../../kube-access.ts';
import { progressOption } from '../../progress.ts';
import { say, type Shell, tell } from '../../shell.ts';
import { type UploadFlags, uploadTarget } from '../../upload/manifest.ts';
import { SEEMS_BYTES, seemsToBe } from '../../upload/seems.ts';
import { type ProxyFlags, sendImage } from '../../upload/send.ts';
import { createDataSource, prepareVolume, waitForClaim, waitForDataVolume } from '../../upload/volume.ts';
import { brokenOff, waitForProcessing, workerOf } from '../../upload/worker.ts';

export function addImageUploadCommand(program: Command, shell: Shell): void {
  program
    .command('image-upload <type> <name>')
    .description('Upload an image to a DataVolume (dv) or PersistentVolumeClaim (pvc).')
    .option('--image-path <file>', 'local image')
    .option('--archive-path <file>', 'local archive')
    .addOption(new Option('--image-offset <bytes>', 'where the image begins in the file').hideHelp())
    .addOption(new Option('--image-bytes <bytes>', 'how long the image in the file is').hideHelp())
    .option('--size <quantity>', 'size of the volume to create')
    .option('--storage-class <class>', 'storage class')
    .option('--access-mode <mode>', 'access mode')
    .option('--volume-mode <mode>', 'block or filesystem')
    .option('--uploadproxy-url <url>', 'upload proxy of CDI')
    .option('--insecure', "do not check the proxy's certificate", false)
    .option('--no-create', 'use a volume that exists')
    .option('--force-bind', 'bind the claim at once', false)
    .option('--wait-secs <seconds>', 'how long to wait for the upload server', '300')
    .option('--retry <count>', 'tries after a passing error', '5')
    .addOption(progressOption())
    .option('--datasource', 'also create a DataSource', false)
    .option('--default-instancetype <name>', 'instance type that goes with the image')
    .option('--default-instancetype-kind <kind>', 'its kind')
    .option('--default-preference <name>', 'preference that goes with the image')
    .option('--default-preference-kind <kind>', 'its kind')
    .action(async (type: string, name: string, flags: UploadFlags & ProxyFlags, self: Command) => {
      const target = uploadTarget(type, name, flags);
      const { client, namespace } = openSession(self, shell);
      const place = { client, namespace, shell };
      requireFile(target.file);
      if (flags.archivePath === undefined) warnOfNoDisk(shell, target.file, flags);
      await prepareVolume(place, name, target, flags);
      const waitMs = Number(flags.waitSecs) * 1000;
      if (target.kind === 'dv') await waitForDataVolume(place, name, waitMs);
      else await waitForClaim(place, name, waitMs);
      const before = await workerOf(place, name);
      await sendImage(place, name, target.file, flags).catch((error: unknown) =>
        brokenOff(place, name, before, error),
      );
      await waitForProcessing(place, name, before);
      if (flags.datasource) await createDataSource(place, name, flags);
      say(shell, `Uploading ${target.file} completed successfully`);
    });
}

function requireFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new Error(`there is no file ${file}`);
  if (!found.isFile()) throw new Error(`${file} is not a file`);
}

/** Any bytes can be a raw disk, so that nothing is refused: whoever meant another file hears of it at once. */
function warnOfNoDisk(shell: Shell, file: string, { imageOffset, imageBytes }: ProxyFlags): void {
  const head = Buffer.alloc(Math.min(SEEMS_BYTES, Number(imageBytes ?? SEEMS_BYTES)));
  const handle = openSync(file, 'r');
  try {
    const seems = seemsToBe(
      head.subarray(0, readSync(handle, head, 0, head.length, Number(imageOffset ?? 0))),
    );
    if (seems === undefined) return;
    tell(
      shell,
      `warning: ${file} seems to be ${seems}, not a disk image; its bytes become those of a raw disk`,
    );
  } finally {
    closeSync(handle);
  }
}
