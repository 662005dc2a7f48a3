/** Images, cloud-init and claims that the guest would start from. */
import type { KnownFailure } from './known-failure.ts';

export const imagesAndDisks: readonly KnownFailure[] = [
  {
    id: 'hello-image-missing',
    title: 'The hello image is not there',
    deadEnd: 'at once',
    handoff: 5,
    where: ['container', 'pod', 'vmi', 'vm', 'event'],
    pattern: /image "podvisor\.local\/hello:1"/,
    cause:
      "podvisor.local/hello:1 is built on this machine from Debian's packages, and comes from no registry. `podvisor up` brings it; here it could not be built, or was removed.",
    fix: '`./podvisor image build hello` builds it (about 15 s, once); the VM then starts by itself.',
  },
  {
    id: 'image-missing',
    title: 'Image missing',
    deadEnd: 'at once',
    handoff: 5,
    where: ['container', 'pod', 'vmi', 'vm', 'event'],
    pattern:
      /ErrImagePull|ImagePullBackOff|ErrImageNeverPull|InvalidImageName|Failed to pull image|manifest unknown/,
    cause:
      'An image of the VM (a containerDisk, or the launcher) cannot be fetched: wrong name, no such tag, no access, or no network.',
    fix: 'Check the name in containerDisk.image and try it: `skopeo inspect docker://IMAGE`. On one machine, `./podvisor image list` shows what is there, and `./podvisor image build NAME --disk FILE` or `import` brings an image in without a registry. For a private registry set imagePullSecret.',
  },
  {
    id: 'bad-cloud-init',
    title: 'Bad cloud-init',
    deadEnd: 'lasting',
    where: ['vmi', 'vm', 'pod', 'event', 'log'],
    pattern:
      /BadCloudInit|which cloud-init needs|cloud-?init.*(?:cannot be prepared|not found|too large)|secret "[\w.-]*(?:cloud-?init|userdata|user-data)[\w.-]*" not found/i,
    cause:
      'The first-boot data cannot be used, so the guest starts without its user, keys and commands, or not at all.',
    fix: 'User data must begin with "#cloud-config" and be YAML; a secret must hold the key userdata. Try it with `cloud-init schema -c FILE`. cloud-init works only at the first boot: after a change, start from a fresh disk.',
  },
  {
    id: 'image-not-a-disk',
    title: 'Image not a disk',
    deadEnd: 'at once',
    handoff: 9,
    where: ['vmi', 'event', 'log', 'container'],
    pattern:
      /the disk image is (?:of format|empty|not a regular file)|exactly one file in \/disk|cannot be opened inside the image|of the image is not a regular file|Image is not in \w+ format|the (?:qcow2 )?image is encrypted|wrong magic number|a disk image must be a plain file/i,
    cause:
      'The image holds no disk that QEMU can use: a containerDisk is an image with exactly one qcow2 or raw file in /disk, a claim has a plain file disk.img with one name (no link, device, pipe or socket).',
    fix: 'Build it so: `FROM scratch` and `ADD --chown=107:107 disk.qcow2 /disk/`, or name the file in containerDisk.path. Other formats are converted by `qemu-img convert -O qcow2`. In a claim, replace what is there by the file itself: `cp --remove-destination`.',
  },
  {
    id: 'disk-not-shown',
    title: 'Disk of an image not shown',
    deadEnd: 'lasting',
    handoff: 8,
    where: ['vmi', 'event', 'log'],
    pattern: /volume (\S+) cannot be shown to the launcher/,
    cause:
      'The node has no image volumes, so a container of the launcher Pod holds the image, and virt-handler could not take the disk out of it; the evidence says why.',
    fix: 'Look at that container: `kubectl -n {namespace} get pods -l kubevirt.io=virt-launcher -o wide`, `kubectl -n {namespace} logs POD -c volume{1}`. The node needs Linux 5.12 or newer and a privileged virt-handler; Kubernetes 1.35 with containerd 2.1 needs neither container nor privilege.',
  },
  {
    id: 'pvc-in-use',
    title: 'PVC in use',
    deadEnd: 'lasting',
    handoff: 10,
    where: ['vmi', 'pod', 'event', 'log', 'container'],
    pattern:
      /Multi-Attach error|Failed to get "\w+" lock|Failed to lock byte|another process is using one of its disks|already used by another|in use by another virtual machine|has used its disk|volume is already exclusively attached/i,
    cause:
      'Another VM, Pod or node holds a disk of this VM. Two writers would destroy it, so it is not started.',
    fix: 'Find the other user: `kubectl -n {namespace} get pods -o json | grep claimName`, and stop it. If the other user was on a node that is gone for good, its Pod has to be deleted by force first.',
  },
  {
    id: 'import-fails',
    title: 'Disk cannot be imported',
    deadEnd: 'at once',
    handoff: 3,
    where: ['claim'],
    pattern: /^ImportFailed: (.+)/,
    cause:
      'What fills the disk of the VM (its DataVolume) fails, and is tried again; the evidence has its words.',
    fix: 'Correct the source: `kubectl -n {namespace} describe dv`; the log is in `kubectl -n {namespace} logs importer-DISK`. A DataVolume cannot be changed: delete it, and the VM makes it again from its template.',
  },
  {
    id: 'pvc-pending',
    title: 'PVC not bound',
    deadEnd: 'lasting',
    handoff: 5,
    where: ['claim', 'pod', 'event'],
    pattern:
      /^Pending: the claim is not bound|unbound immediate PersistentVolumeClaims|FailedBinding|ProvisioningFailed/,
    cause:
      'A claim of the VM has no volume: its storage class is missing, has no space, or waits for its first user.',
    fix: '`kubectl -n {namespace} describe pvc` says why. Without storageClassName the default class is used: `kubectl get storageclass`.',
  },
  {
    id: 'no-space',
    title: 'No space on the node',
    deadEnd: 'lasting',
    where: ['vmi', 'event', 'log', 'pod'],
    pattern: /no space left|DiskPressure|does not fit: the volume has|not enough space on volume/i,
    cause: 'The file system that holds the disks of the VM is full.',
    fix: 'Make room on the node ({node}), or give the volume more. A guest that was paused for this goes on by itself within minutes, or at once with `virtctl unpause vmi {name}`.',
  },
];
