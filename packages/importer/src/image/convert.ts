/** qemu-img on images of strangers: always with a stated format, never with a file that the image names. */
import { ImageError } from '@podvisor/storage';
import { runConfined } from '@podvisor/sys';
import type { ImageFormat } from './formats.ts';

const QEMU_IMG = '/usr/bin/qemu-img';
/** Reading a header takes no time; converting a large image does. */
const INFO_LIMITS = { processorSeconds: 20, addressSpaceBytes: 1024 ** 3 };
const CONVERT_HOURS = 6;

export interface OpenedImage {
  readonly path: string;
  readonly format: ImageFormat;
}

/** The image as QEMU shall open it: this file, in this format, and no other below it. */
function source({ path, format }: OpenedImage): string {
  const file = { driver: 'file', filename: path, locking: 'off' };
  return `json:${JSON.stringify(format === 'raw' ? { driver: 'raw', file } : { driver: format, file, ...NO_BACKING[format] })}`;
}

/** Only some formats know of a backing file; the others refuse the option. */
const NO_BACKING: Readonly<Partial<Record<ImageFormat, object>>> = {
  qcow2: { backing: null },
  vmdk: { backing: null },
};

interface Info {
  readonly 'virtual-size'?: number;
  readonly 'backing-filename'?: string;
  readonly 'format-specific'?: {
    readonly data?: { readonly extents?: readonly { readonly filename?: string }[] };
  };
}

/** How large the disk inside is. Throws ImageError when qemu-img finds a reference that we did not. */
export async function virtualSize(image: OpenedImage, signal: AbortSignal): Promise<number> {
  const text = await runConfined(
    QEMU_IMG,
    ['info', '--output=json', source(image)],
    { limits: INFO_LIMITS, timeoutMs: 60_000 },
    signal,
  );
  const info = JSON.parse(text) as Info;
  const extents = info['format-specific']?.data?.extents ?? [];
  if (
    info['backing-filename'] !== undefined ||
    extents.some(
      ({ filename }) => filename !== image.path && filename !== undefined && !filename.startsWith('json:'),
    )
  )
    throw new ImageError('reference', 'the image refers to another file; flatten it with qemu-img convert');
  return info['virtual-size'] ?? 0;
}

export interface ConvertOptions {
  readonly target: string;
  /** The target exists and keeps its size: a device. */
  readonly isDevice: boolean;
  readonly sizeBytes: number;
  onPercent?(percent: number): void;
}

/** Writes the disk inside the image to the target, as raw bytes. */
export async function convert(
  image: OpenedImage,
  { target, isDevice, sizeBytes, onPercent }: ConvertOptions,
  signal: AbortSignal,
): Promise<void> {
  const args = ['convert', '-p', '-O', 'raw', '-W', '-m', '8', '-S', '64k', ...(isDevice ? ['-n'] : [])];
  await runConfined(
    QEMU_IMG,
    [...args, source(image), target],
    {
      limits: { fileSizeBytes: sizeBytes, processorSeconds: CONVERT_HOURS * 3600 },
      timeoutMs: CONVERT_HOURS * 3_600_000,
      onOutput: (text) => {
        const last = [...text.matchAll(/\((\d+(?:\.\d+)?)\/100%\)/g)].at(-1)?.[1];
        if (last !== undefined) onPercent?.(Number(last));
      },
    },
    signal,
  );
}
