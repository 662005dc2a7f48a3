/** Mount points inside the launcher Pod: where launchers have them. */
import { launcherPaths } from '@podvisor/api';

export const mountPaths = launcherPaths();
