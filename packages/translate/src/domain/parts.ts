/** All parts of the conversion, in the order in which their pieces are merged. */
import { channelsPart } from './channels.ts';
import { clockPart } from './clock.ts';
import { controllersPart } from './controllers.ts';
import { cpuPart } from './cpu.ts';
import { disksPart } from './disks.ts';
import { featuresPart } from './features.ts';
import { firmwarePart } from './firmware.ts';
import { graphicsPart } from './graphics.ts';
import { hypervisorPart, rebootPart } from './hypervisor.ts';
import { inputsPart } from './inputs.ts';
import { interfacesPart } from './interfaces.ts';
import { ioThreadsPart } from './iothreads.ts';
import { launchSecurityPart } from './launch-security.ts';
import { memoryBackingPart } from './memory-backing.ts';
import { memoryPart } from './memory.ts';
import type { Part } from './part.ts';
import { placementPart } from './placement.ts';
import { serialPart } from './serial.ts';
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
} from './small-devices.ts';
import { sysinfoPart } from './sysinfo.ts';

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
