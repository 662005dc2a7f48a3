/** Images as the kubelet sees them: directories to stack and defaults for the process. */
export interface ImageConfig {
  readonly env: readonly string[];
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly workingDir: string;
  readonly user: string;
}

export interface Image {
  readonly reference: string;
  /** What a container status shows as `imageID`. */
  readonly id: string;
  /** Directories, the top layer first. */
  readonly layers: readonly string[];
  readonly config: ImageConfig;
}

export type PullPolicy = 'Always' | 'IfNotPresent' | 'Never';

/** An image cannot be used; `reason` is the word that goes into the container's status. */
export class ImageError extends Error {
  override readonly name = 'ImageError';
  readonly reason: 'ErrImagePull' | 'ErrImageNeverPull' | 'InvalidImageName';

  readonly image: string;

  constructor(reason: ImageError['reason'], image: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.image = image;
  }
}
