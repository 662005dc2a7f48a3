export type Compression = 'gzip' | 'xz' | 'zstd';
export type ImageFormat = 'raw' | 'qcow2' | 'vmdk' | 'vdi' | 'vpc' | 'vhdx';
/** Enough for every header that is looked at. */
export declare const HEAD_BYTES: number;
export declare function compressionOf(head: Uint8Array): Compression | undefined;
/** The format of an image that begins with `head`. Throws ImageError for what must not be opened. */
export declare function formatOf(head: Uint8Array): ImageFormat;
