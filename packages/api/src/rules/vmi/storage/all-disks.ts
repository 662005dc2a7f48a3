/** Every rule about a disk alone, as a VMI and a preset have them. */
import type { VMISpec } from '../../../types/index.ts';
import type { ItemRules } from '../../rule.ts';
import { blockSizeRule } from './block-size.ts';
import { diskRules } from './disks.ts';

export const allDiskRules: ItemRules<VMISpec> = { itemByItem: [...diskRules, blockSizeRule] };
