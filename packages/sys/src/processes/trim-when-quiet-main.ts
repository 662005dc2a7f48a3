/** Loaded before a program of the home (`node --import`), so that none of them has to know of it. */
import { systemClock } from '@podvisor/base';
import { trimWhenQuiet } from './trim-when-quiet.ts';

trimWhenQuiet({ clock: systemClock });
