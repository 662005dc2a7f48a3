/** The whole catalogue as objects: what both homes install so that a user finds the names he knows. */
import type { VirtualMachineClusterInstancetype, VirtualMachineClusterPreference } from '../types/index.ts';
import { catalogueInstancetypes } from './instancetypes.ts';
import { cataloguePreferences } from './preferences.ts';

/** Fresh objects each time; the order is that in which people read about them. */
export function catalogueObjects(): (VirtualMachineClusterInstancetype | VirtualMachineClusterPreference)[] {
  return [...catalogueInstancetypes(), ...cataloguePreferences()];
}
