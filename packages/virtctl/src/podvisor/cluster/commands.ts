/** `podvisor cluster …`: Podvisor on any Kubernetes. */
import type { Command } from 'commander';
import type { ClusterFlags } from './access.ts';
import { NAMESPACE } from './deploy-files.ts';
import { clusterDoctor } from './doctor.ts';
import { type InstallFlags, installOnCluster } from './install.ts';
import { clusterStatus } from './status.ts';
import { type UninstallFlags, uninstallFromCluster } from './uninstall.ts';

export function addClusterCommands(program: Command, wholeNumber: (text: string) => number): void {
  const cluster = program
    .command('cluster')
    .description(
      'Install on any Kubernetes, look at the installation, take it away (docs/cluster-install.md).',
    );
  const command = (name: string, description: string): Command =>
    cluster
      .command(name)
      .description(description)
      .option('--kubeconfig <file>', 'the cluster (default: $KUBECONFIG, then ~/.kube/config)')
      .option('--namespace <name>', 'where the components run', NAMESPACE);
  command('install', 'Install virt-operator and a KubeVirt object, and wait until everything runs.')
    .option(
      '--registry <prefix>',
      'images are PREFIX/virt-operator:TAG and so on (default: those of a bare home)',
    )
    .option('--tag <tag>', 'version of the images')
    .option('--use-emulation', 'run VMs by software emulation on nodes without KVM', false)
    .option('--timeout <seconds>', 'give up waiting after', wholeNumber, 300)
    .action((flags: InstallFlags) => installOnCluster(flags));
  command('status', 'Show version, components and what stands in the way.').action(
    async (flags: ClusterFlags) => {
      if (!(await clusterStatus(flags))) process.exitCode = 1;
    },
  );
  command('doctor', 'Check whether the cluster can run VMs, with the fix for each problem.').action(
    async (flags: ClusterFlags) => {
      if (!(await clusterDoctor(flags))) process.exitCode = 1;
    },
  );
  command('uninstall', 'Remove the KubeVirt object, all that it installed, and virt-operator.')
    .option('--timeout <seconds>', 'give up waiting after', wholeNumber, 600)
    .action((flags: UninstallFlags) => uninstallFromCluster(flags));
}
