/** What device plugins give to one container. */
export interface DeviceGrant {
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly {
    readonly containerPath: string;
    readonly hostPath: string;
    readonly readOnly: boolean;
  }[];
  readonly devices: readonly {
    readonly containerPath: string;
    readonly hostPath: string;
    /** Of `r`, `w`, `m`. */
    readonly permissions: string;
  }[];
}

export const NO_DEVICES: DeviceGrant = { env: {}, mounts: [], devices: [] };

/** A Pod asks for devices that are not there; it is refused. */
export class AdmissionError extends Error {
  override readonly name = 'AdmissionError';
}
