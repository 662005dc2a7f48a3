/** Names that an embedded home knows, for completion: its own things, and those of its cluster. */
import { instancePaths, readInstanceConfig } from '@podvisor/sys';
import { clusterNames, type NamesOf } from '../../commands/completion.ts';
import { imageNames } from '../images/image-command.ts';
import { loggingComponents } from '../logs/logs.ts';
import { sourcesOf } from '../logs/sources.ts';
import { userNames } from '../users/user-command.ts';

export function homeNames(home: () => string): NamesOf {
  return async (of, words) => {
    const paths = instancePaths(home());
    switch (of) {
      case 'image':
        return await imageNames();
      case 'user':
        return await userNames();
      case 'component':
        return loggingComponents(sourcesOf(paths, readInstanceConfig(paths.home)));
      case 'node':
        return readInstanceConfig(paths.home).nodes.map(({ name }) => name);
      default:
        return await clusterNames({ env: { KUBECONFIG: paths.kubeconfig } })(of, words);
    }
  };
}
