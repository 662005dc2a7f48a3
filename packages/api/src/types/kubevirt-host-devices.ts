/** - */
export interface MediatedDevicesConfiguration {
  /** - */
  readonly enabled?: boolean;
  /**
   * -
   * @listType atomic
   */
  readonly mediatedDeviceTypes?: readonly string[];
  /**
   * -
   * @listType atomic
   */
  readonly mediatedDevicesTypes?: readonly string[];
  /**
   * -
   * @listType atomic
   */
  readonly nodeMediatedDeviceTypes?: readonly NodeMediatedDeviceTypesConfig[];
}

/** - */
export interface NodeMediatedDeviceTypesConfig {
  /**
   * -
   * @listType atomic
   */
  readonly mediatedDeviceTypes?: readonly string[];
  /**
   * -
   * @listType atomic
   */
  readonly mediatedDevicesTypes?: readonly string[];
  /** - */
  readonly nodeSelector: Readonly<Record<string, string>>;
}

/** - */
export interface PermittedHostDevices {
  /**
   * -
   * @listType atomic
   */
  readonly mediatedDevices?: readonly MediatedHostDevice[];
  /**
   * -
   * @listType atomic
   */
  readonly pciHostDevices?: readonly PciHostDevice[];
  /**
   * -
   * @listType atomic
   */
  readonly usb?: readonly USBHostDevice[];
}

/** - */
export interface MediatedHostDevice {
  /** - */
  readonly externalResourceProvider?: boolean;
  /** - */
  readonly mdevNameSelector: string;
  /** - */
  readonly resourceName: string;
}

/** - */
export interface PciHostDevice {
  /** - */
  readonly externalResourceProvider?: boolean;
  /** - */
  readonly pciVendorSelector: string;
  /** - */
  readonly resourceName: string;
}

/** - */
export interface USBHostDevice {
  /** - */
  readonly externalResourceProvider?: boolean;
  /** - */
  readonly resourceName: string;
  /**
   * -
   * @listType atomic
   */
  readonly selectors?: readonly USBSelector[];
}

/** - */
export interface USBSelector {
  /** - */
  readonly product: string;
  /** - */
  readonly vendor: string;
}
