/** Mediated devices that nodes should offer. */
export interface MediatedDevicesConfiguration {
  /** Whether we create them; true when unset. */
  readonly enabled?: boolean;
  /**
   * Types that all nodes create.
   * @listType atomic
   */
  readonly mediatedDeviceTypes?: readonly string[];
  /**
   * Old form of mediatedDeviceTypes.
   * @listType atomic
   */
  readonly mediatedDevicesTypes?: readonly string[];
  /**
   * Types that some nodes create.
   * @listType atomic
   */
  readonly nodeMediatedDeviceTypes?: readonly NodeMediatedDeviceTypesConfig[];
}

/** Mediated devices of some nodes. */
export interface NodeMediatedDeviceTypesConfig {
  /**
   * Types that they create.
   * @listType atomic
   */
  readonly mediatedDeviceTypes?: readonly string[];
  /**
   * Old form of mediatedDeviceTypes.
   * @listType atomic
   */
  readonly mediatedDevicesTypes?: readonly string[];
  /** Labels of the nodes. */
  readonly nodeSelector: Readonly<Record<string, string>>;
}

/** Devices of nodes that guests may use. */
export interface PermittedHostDevices {
  /**
   * Mediated devices, such as virtual GPUs.
   * @listType atomic
   */
  readonly mediatedDevices?: readonly MediatedHostDevice[];
  /**
   * PCI devices.
   * @listType atomic
   */
  readonly pciHostDevices?: readonly PciHostDevice[];
  /**
   * USB devices.
   * @listType atomic
   */
  readonly usb?: readonly USBHostDevice[];
}

/** A mediated device that guests may use. */
export interface MediatedHostDevice {
  /** Another device plugin offers it. */
  readonly externalResourceProvider?: boolean;
  /** Type of the device. */
  readonly mdevNameSelector: string;
  /** Resource name that guests ask for. */
  readonly resourceName: string;
}

/** A PCI device that guests may use. */
export interface PciHostDevice {
  /** Another device plugin offers it. */
  readonly externalResourceProvider?: boolean;
  /** Vendor and product, as vvvv:pppp. */
  readonly pciVendorSelector: string;
  /** Resource name that guests ask for. */
  readonly resourceName: string;
}

/** USB devices that guests may use together. */
export interface USBHostDevice {
  /** Another device plugin offers them. */
  readonly externalResourceProvider?: boolean;
  /** Resource name that guests ask for. */
  readonly resourceName: string;
  /**
   * The devices.
   * @listType atomic
   */
  readonly selectors?: readonly USBSelector[];
}

/** A USB device. */
export interface USBSelector {
  /** Product, four hexadecimal digits. */
  readonly product: string;
  /** Vendor, four hexadecimal digits. */
  readonly vendor: string;
}
