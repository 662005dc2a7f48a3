/** All parts of the conversion, in the order in which their pieces are merged. */
import { channelsPart } from './devices/channels.ts';
import { clockPart } from './platform/clock.ts';
import { controllersPart } from './devices/controllers.ts';
import { cpuPart } from './cpu/cpu.ts';
import { disksPart } from './storage/disks.ts';
import { featuresPart } from './platform/features.ts';
import { firmwarePart } from './platform/firmware.ts';
import { graphicsPart } from './devices/graphics.ts';
import { hypervisorPart, rebootPart } from './platform/hypervisor.ts';
import { inputsPart } from './devices/inputs.ts';
import { interfacesPart } from './devices/interfaces.ts';
import { ioThreadsPart } from './cpu/iothreads.ts';
import { launchSecurityPart } from './platform/launch-security.ts';
import { memoryBackingPart } from './memory/memory-backing.ts';
import { memoryPart } from './memory/memory.ts';
import type { Part } from './part.ts';
import { placementPart } from './devices/placement.ts';
import { serialPart } from './devices/serial.ts';
import {
  balloonPart,
  filesystemsPart,
  hostDevicesPart,
  ignitionPart,
  panicPart,
  rngPart,
  soundPart,
  tpmPart,
  usbRedirectionPart,
  vsockPart,
  watchdogPart,
} from './devices/small-devices.ts';
import { sysinfoPart } from './platform/sysinfo.ts';

export const parts: readonly Part[] = [
  hypervisorPart,
  rebootPart,
  memoryPart,
  memoryBackingPart,
  cpuPart,
  ioThreadsPart,
  placementPart,
  sysinfoPart,
  firmwarePart,
  featuresPart,
  clockPart,
  disksPart,
  controllersPart,
  interfacesPart,
  filesystemsPart,
  serialPart,
  channelsPart,
  inputsPart,
  graphicsPart,
  tpmPart,
  soundPart,
  watchdogPart,
  panicPart,
  rngPart,
  balloonPart,
  vsockPart,
  usbRedirectionPart,
  hostDevicesPart,
  launchSecurityPart,
  ignitionPart,
];
