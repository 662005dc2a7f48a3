import type { ImageFormat } from './formats.ts';
export interface OpenedImage {
  readonly path: string;
  readonly format: ImageFormat;
}
/** How large the disk inside is. Throws ImageError when qemu-img finds a reference that we did not. */
export declare function virtualSize(image: OpenedImage, signal: AbortSignal): Promise<number>;
export interface ConvertOptions {
  readonly target: string;
  /** The target exists and keeps its size: a device. */
  readonly isDevice: boolean;
  readonly sizeBytes: number;
  onPercent?(percent: number): void;
}
/** Writes the disk inside the image to the target, as raw bytes. */
export declare function convert(
  image: OpenedImage,
  { target, isDevice, sizeBytes, onPercent }: ConvertOptions,
  signal: AbortSignal,
): Promise<void>;
