/**
 * Known failures, as data: what they look like, why they happen, what to do. The first entry that fits is
 * the probable cause, so the particular stands before the general. `docs/why.md` is made from this table.
 *
 * In `fix`, `{name}`, `{namespace}`, `{node}`, `{pod}` and `{1}` (first group of the pattern) are filled in.
 */
import type { Source } from './evidence.ts';

/** `lasting`: it may pass (something is tried again, or comes late), and counts when it is still there some seconds later. */
export type DeadEnd = 'at once' | 'lasting';

export interface KnownFailure {
  readonly id: string;
  readonly title: string;
  /** The handoff that does not happen; absent for trouble of a running guest. */
  readonly handoff?: number;
  /** Evidence to look at. */
  readonly where: readonly Source[];
  /** Matched against `reason: message`. */
  readonly pattern: RegExp;
  readonly cause: string;
  readonly fix: string;
  /** Somebody has to change something, and `podvisor up` ends with it. */
  readonly deadEnd?: DeadEnd;
}

export const catalogue: readonly KnownFailure[] = [
  {
    id: 'webhook-down',
    title: 'Webhook down',
    deadEnd: 'lasting',
    handoff: 2,
    where: ['vm', 'vmi', 'event', 'server'],
    pattern: /failed calling webhook|no endpoints available for service|^Unavailable: /,
    cause: 'virt-api does not answer, so the API server can neither check nor default what is created.',
    fix: 'See that virt-api runs: `podvisor status` (logs/virt-api.log) on one machine, `kubectl -n kubevirt get pods -l kubevirt.io=virt-api` on a cluster. Nothing has to be created again: it goes on by itself.',
  },
  {
    id: 'volumes-not-copied',
    title: 'Ended before its disks were copied',
    deadEnd: 'at once',
    handoff: 3,
    where: ['vm'],
    pattern: /^ManualRecoveryRequired/,
    cause:
      'The guest ended while its disks were being copied to other claims. Its data is on the old claims, and the VM names the new ones, so it is not started.',
    fix: 'Put the old claims back in spec.template.spec.volumes; the condition ManualRecoveryRequired says which (`kubectl -n {namespace} get vm {name} -o yaml`). The VM can start then, and the move can be asked for again.',
  },
  {
    id: 'volumes-wait',
    title: 'Disks cannot move yet',
    where: ['vm'],
    pattern: /^Failure\/VolumesUpdateError: (?:volume \S+ waits|the volumes )/,
    cause:
      'The VM names other claims (updateVolumesStrategy: Migration), and something has to happen before its disks are copied there; the evidence says what. The guest runs on the old ones.',
    fix: 'Make the claim or DataVolume, wait until it is filled or the migration under way has ended, or add a node (`podvisor up --nodes 2`): it goes on by itself. Or put the old claims back in the VM.',
  },
  {
    id: 'quota',
    title: 'Quota used up',
    deadEnd: 'at once',
    handoff: 4,
    where: ['vm', 'vmi', 'event'],
    pattern: /exceeded quota: ([\w.-]+)/,
    cause: 'The namespace may not have another Pod of this size: its ResourceQuota is used up.',
    fix: 'Look at `kubectl -n {namespace} describe resourcequota {1}`; stop something, ask for less, or raise the quota. The Pod of a VM needs more memory than its guest.',
  },
  {
    id: 'pod-security',
    title: 'Refused by Pod Security',
    deadEnd: 'at once',
    handoff: 4,
    where: ['vm', 'vmi', 'event'],
    pattern: /violates PodSecurity "([\w:.]+)"/,
    cause:
      'The namespace enforces a Pod Security level, and the Pod of this VM breaks a rule of it; the evidence names the level and every rule.',
    fix: 'Take what the message names out of the VM, or let an administrator lower the level: `kubectl label --overwrite namespace {namespace} pod-security.kubernetes.io/enforce=baseline` (or `privileged`). virt-controller tries again by itself.',
  },
  {
    id: 'secret-missing',
    title: 'Secret missing',
    deadEnd: 'at once',
    handoff: 5,
    where: ['reference', 'event', 'pod'],
    pattern: /^SecretMissing: Secret "([\w.-]+)"|FailedMount: .*secret "([\w.-]+)" not found/,
    cause: 'The VM names a Secret that does not exist in its namespace; its Pod waits for it.',
    fix: 'Create it (`kubectl -n {namespace} create secret generic {1} --from-file=userdata=FILE` for cloud-init), or correct the name in the VM: `kubectl -n {namespace} get secrets`. The Pod goes on by itself.',
  },
  {
    id: 'config-map-missing',
    title: 'ConfigMap missing',
    deadEnd: 'at once',
    handoff: 5,
    where: ['reference', 'event', 'pod'],
    pattern: /^ConfigMapMissing: ConfigMap "([\w.-]+)"|FailedMount: .*configmap "([\w.-]+)" not found/,
    cause: 'The VM names a ConfigMap that does not exist in its namespace; its Pod waits for it.',
    fix: 'Create it (`kubectl -n {namespace} create configmap {1} --from-file=FILE`), or correct the name in the VM: `kubectl -n {namespace} get configmaps`. The Pod goes on by itself.',
  },
  {
    id: 'network-attachment-missing',
    title: 'NetworkAttachmentDefinition missing',
    deadEnd: 'at once',
    handoff: 5,
    where: ['reference'],
    pattern: /^NetworkAttachmentDefinitionMissing: NetworkAttachmentDefinition "([\w.-]+)"/,
    cause:
      'The VM wants to be in a network that nobody has defined: there is no NetworkAttachmentDefinition of that name in the namespace.',
    fix: 'Define it (docs/network.md has examples), or correct networkName in spec.template.spec.networks: `kubectl get network-attachment-definitions -A`. The Pod goes on by itself.',
  },
  {
    id: 'data-volume-missing',
    title: 'DataVolume missing',
    deadEnd: 'at once',
    handoff: 4,
    where: ['reference'],
    pattern: /^DataVolumeMissing: DataVolume "([\w.-]+)"/,
    cause: 'The VM names a DataVolume that does not exist in its namespace, nor does a claim of that name.',
    fix: 'Create it (`virtctl image-upload dv {1} -n {namespace} --size=SIZE --image-path=FILE`, or a DataVolume in a manifest), or correct the name in spec.template.spec.volumes: `kubectl -n {namespace} get dv,pvc`.',
  },
  {
    id: 'pvc-missing',
    title: 'PVC missing',
    deadEnd: 'at once',
    handoff: 4,
    where: ['reference', 'vm', 'vmi', 'pod', 'event'],
    pattern:
      /^PersistentVolumeClaimMissing: PersistentVolumeClaim "([\w.-]+)"|FailedPvcNotFound|persistentvolumeclaim "?([\w.-]+)"? not found|PVC ([\w./-]+) (?:does not exist|not found)/i,
    cause: 'The VM names a PersistentVolumeClaim that does not exist in its namespace.',
    fix: 'Create it, or correct the name in spec.template.spec.volumes: `kubectl -n {namespace} get pvc`.',
  },
  {
    id: 'no-kvm',
    title: 'No KVM',
    deadEnd: 'at once',
    handoff: 5,
    where: ['pod', 'vmi', 'vm', 'event', 'log'],
    pattern:
      /Insufficient devices\.kubevirt\.io\/kvm|Could not access KVM kernel module|failed to initialize kvm|hardware virtualisation is not usable/,
    cause:
      'No node that fits offers hardware virtualisation: /dev/kvm is missing or the CPU lacks vmx or svm.',
    fix: 'Run on a machine with virtualisation switched on (in a VM: nested virtualisation), or allow software emulation: spec.configuration.developerConfiguration.useEmulation: true in the KubeVirt object. `podvisor doctor` says what this machine has.',
  },
  {
    id: 'device-plugin-gone',
    title: 'Device plugin gone',
    deadEnd: 'lasting',
    handoff: 5,
    where: ['pod', 'vmi', 'vm', 'event'],
    pattern: /Insufficient (devices\.kubevirt\.io\/[\w-]+)|UnexpectedAdmissionError|Allocate failed due to/,
    cause:
      'No node offers a device that every launcher needs. virt-handler offers it, so virt-handler does not run there or has lost its kubelet.',
    fix: 'See that virt-handler runs on the node (`podvisor status`, or `kubectl -n kubevirt get pods -l kubevirt.io=virt-handler -o wide`) and what the node offers: `kubectl get node -o jsonpath="{.items[*].status.allocatable}"`.',
  },
  {
    id: 'not-enough-memory',
    title: 'Not enough memory',
    deadEnd: 'at once',
    handoff: 5,
    where: ['pod', 'vmi', 'vm', 'event', 'log', 'container'],
    pattern:
      /Insufficient memory|OutOfmemory|Cannot allocate memory|cannot set up guest memory|could not give the virtual machine its memory/i,
    cause: 'No node has the memory that the guest and its launcher ask for.',
    fix: 'Give the guest less (spec.template.spec.domain.memory.guest), stop other VMs (`virtctl top`), or add a node.',
  },
  {
    id: 'oom-killed',
    title: 'Killed for want of memory',
    where: ['container', 'event', 'pod'],
    pattern: /OOMKilled|out of memory|Evicted: .*memory/i,
    cause: 'The launcher Pod used more memory than its limit, and the kernel ended QEMU.',
    fix: 'Remove or raise the memory limit of the VM (resources.limits.memory), or raise spec.configuration.additionalGuestMemoryOverheadRatio in the KubeVirt object.',
  },
  {
    id: 'not-enough-cpu',
    title: 'Not enough CPU',
    deadEnd: 'at once',
    handoff: 5,
    where: ['pod', 'vmi', 'vm', 'event'],
    pattern: /Insufficient cpu/,
    cause: 'No node has the CPU time that the Pod asks for.',
    fix: 'Give the guest fewer CPUs, lower resources.requests.cpu, stop other VMs, or add a node.',
  },
  {
    id: 'no-node-fits',
    title: 'No node fits',
    deadEnd: 'at once',
    handoff: 5,
    where: ['pod', 'vmi', 'event'],
    pattern: /didn't match Pod's node affinity\/selector|had untolerated taint|node\(s\) were unschedulable/,
    cause:
      'The VM asks for a node that is not there: by nodeSelector, affinity, CPU model or architecture, or all nodes are cordoned or tainted.',
    fix: 'Compare `kubectl get nodes --show-labels` with the nodeSelector of the Pod: `kubectl -n {namespace} get pod {pod} -o jsonpath="{.spec.nodeSelector}"`. kubevirt.io/schedulable=true is set by a virt-handler that is well.',
  },
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
  {
    id: 'network-phase-1-failed',
    title: 'Network phase 1 failed',
    deadEnd: 'lasting',
    handoff: 8,
    where: ['vmi', 'event'],
    pattern:
      /failed to configure vmi network|the Pod has no NIC|exists in the Pod and is not a (?:bridge|TAP device)|the Pod's NIC \S+ was changed already|shares the network of its node|network device of the virtual machine could not be opened|Critical network error/i,
    cause: "virt-handler could not build the guest's network (bridge, TAP, rules) in the Pod.",
    fix: 'Look at the CNI result of the Pod (`kubectl -n {namespace} describe pod {pod}`) and the log of virt-handler on {node}. A NetworkAttachmentDefinition that the VM names must exist. `virtctl restart {name}` tries again in a fresh Pod.',
  },
  {
    id: 'pod-network-failed',
    title: 'Pod network failed',
    deadEnd: 'lasting',
    handoff: 5,
    where: ['event', 'pod'],
    pattern: /FailedCreatePodSandBox|NetworkPlugin|failed to set up sandbox/i,
    cause: 'The kubelet could not make the sandbox of the Pod; mostly the CNI plugin failed.',
    fix: 'The message names the plugin and the step. On one machine `podvisor doctor` checks the plugins.',
  },
  {
    id: 'libvirt-refuses-xml',
    title: 'libvirt refuses the XML',
    deadEnd: 'at once',
    handoff: 10,
    where: ['vmi', 'event', 'log'],
    pattern:
      /did not accept the definition of the virtual machine|XML error|unsupported configuration|virError\(Code=(?:27|67|8)\b/,
    cause:
      'libvirt does not take the domain that the VM became: an option that this libvirt or QEMU does not have, or two that exclude each other.',
    fix: '`virtctl render vm/{name} -o xml` shows the domain; the message names the element. Take the option out of the VM, or a hook that added it.',
  },
  {
    id: 'qemu-dies-at-start',
    title: 'QEMU dies at start',
    deadEnd: 'at once',
    handoff: 10,
    where: ['vmi', 'event', 'log', 'container'],
    pattern:
      /QEMU could not be started|process exited while connecting to monitor|qemu unexpectedly closed the monitor|internal error: process exited/i,
    cause: 'QEMU ended before the guest ran; what it wrote stands in the message.',
    fix: '`virtctl render vm/{name} --qemu` shows its command line. Often a device, firmware or CPU model that this QEMU does not have.',
  },
  {
    id: 'guest-panic',
    title: 'Guest panics',
    where: ['vmi', 'event', 'log', 'vm'],
    pattern: /GuestPanicked|PanicNotified|Panicked|kernel panic/i,
    cause: 'The guest itself crashed. Podvisor and the node are well.',
    fix: 'Look at what it last said: `virtctl console --share {name}` shows the last output; after the end, `kubectl -n {namespace} logs {pod} -c guest-console-log`. A VM that crashes again and again is started later each time (CrashLoopBackOff).',
  },
  {
    id: 'paused-by-io-error',
    title: 'Paused by a disk error',
    where: ['vmi'],
    pattern: /PausedIOError/,
    cause:
      'A disk of the guest gave an error (mostly: no space), so it was paused before it could lose data.',
    fix: 'Make room or mend the storage: the guest goes on by itself within minutes, or at once with `virtctl unpause vmi {name}`.',
  },
  {
    id: 'hibernated-state-does-not-fit',
    title: 'Sleeps, and its memory does not fit any more',
    where: ['vm'],
    pattern: /HibernatedStateRefused\/(?:StateDoesNotFit|StateInUse)/,
    cause:
      'The VM, its disks or its node are not as they were when the memory was saved; the evidence says what was and what is. Memory that does not fit is never loaded by force.',
    fix: 'Make the VM as it was and `virtctl start {name}`. Or give the memory up: `virtctl start {name} --discard-state` boots the guest from its disks, as after a power cut.',
  },
  {
    id: 'hibernated-state-lost',
    title: 'Sleeps, and its memory cannot be read',
    where: ['vm'],
    pattern: /HibernatedStateRefused\/(?:StateDamaged|StateMissing)/,
    cause:
      'The claim does not hold the memory of this guest, the file was changed or cut, or it was encrypted with the key of another installation.',
    fix: 'Bring the claim back from a backup, or the key (docs/hibernation.md), and `virtctl start {name}`. Or give the memory up: `virtctl start {name} --discard-state`.',
  },
  {
    id: 'copy-without-identity',
    title: 'A warm copy could not be told from the others',
    where: ['vmi', 'event', 'log'],
    pattern: /the copy could not be given an identity of its own: (.*)/,
    cause:
      'The copy went on from the memory of its snapshot, and could not be given a host name, machine id and keys of its own through its agent. It was ended; its next start boots from its disks.',
    fix: 'See that the guest agent ran and may execute commands when the snapshot was taken. A copy that may go on as the guest that it was: spec.identityless of the clone or pool.',
  },
  {
    id: 'hibernation-failed',
    title: 'Was not hibernated, and goes on',
    where: ['event'],
    pattern: /HibernationFailed/,
    cause: 'The memory of the guest could not be saved; the evidence says why. The guest was not harmed.',
    fix: 'A claim without room: raise the memory claim’s class or quota. A device that cannot be saved (host devices, virtiofs): take it out of the VM. Then `virtctl hibernate {name}` again.',
  },
  {
    id: 'node-lost-no-lease',
    title: 'Lost with its node, and nobody can tell whether it still runs',
    where: ['vmi'],
    pattern: /NodeLost\/(?:DiskIsLocal|NoSharedDisk|NoPlaceForLease|LeaseNotKept|LeaseForeign)/,
    cause:
      'The node is not heard of, and the guest keeps no lease on storage that other nodes can read. Whether it still runs cannot be known, so it is not started elsewhere: two of it would destroy its disk.',
    fix: 'Bring node {node} back. If its machine is off for sure, say so: `virtctl fence {node} --confirmed-off`, or taint it `node.kubernetes.io/out-of-service`; the VM then starts on another node.',
  },
  {
    id: 'node-lost-lease-renewed',
    title: 'Its node is not heard of, but the guest runs',
    where: ['vmi'],
    pattern: /NodeLost\/LeaseNotOver/,
    cause:
      'Only the network of the node is cut: the guest still renews its lease on the storage, or holds its disk locked. It goes on where it is and is not started elsewhere.',
    fix: 'Mend the network of node {node}. To have the VM elsewhere, turn the machine off: its lease then ends by itself.',
  },
  {
    id: 'node-lost-watching',
    title: 'Lost with its node; its lease is being watched',
    where: ['vmi'],
    pattern: /NodeLost\/(?:WatchingLease|Migrating)/,
    cause:
      'The node is not heard of. The guest starts elsewhere when its lease on the storage has provably ended.',
    fix: 'Wait: with the default times it runs elsewhere within a minute of the loss. `kubectl -n {namespace} get pods -l kubevirt.io=lease-watch` shows who watches.',
  },
  {
    id: 'storage-lost',
    title: 'The storage of the guest does not answer',
    where: ['vmi'],
    pattern: /FencedByLease\/StorageLost/,
    cause:
      'The lease of the guest on its storage cannot be renewed, while its node is well: the guest waits for its disks, or is paused by their errors. It is not started elsewhere.',
    fix: 'Mend the way from node {node} to the storage; the guest goes on by itself.',
  },
  {
    id: 'node-gone',
    title: 'Node gone',
    where: ['node', 'pod', 'event'],
    pattern:
      /NodeNotFound|Ready=(?:Unknown|False)|NodeLost|NodeStatusUnknown|Kubelet stopped posting node status|TaintManagerEviction/,
    cause:
      'The node of the VM does not report. Whether the guest still runs there cannot be known, so it is not started elsewhere: two of it would destroy its disk.',
    fix: 'Bring node {node} back. If it is switched off for good, delete the Node object; the VM then starts on another node.',
  },
  {
    id: 'qemu-ended',
    title: 'QEMU ended',
    where: ['event'],
    pattern: /VirtualMachineInstance crashed/,
    cause: 'QEMU or its launcher ended while the guest ran, and neither was asked to.',
    fix: 'The log of the launcher has its last words: `kubectl -n {namespace} logs {pod} -c compute`. On the node, `dmesg` tells of processes that the kernel ended.',
  },
  {
    id: 'crash-loop',
    title: 'Started again and again',
    where: ['vm'],
    pattern: /CrashLoopBackOff/,
    cause: 'The guest ended with an error several times; the next start waits longer each time.',
    fix: 'The reason stands with the run before: `kubectl -n {namespace} get events --field-selector involvedObject.name={name}`.',
  },
  {
    id: 'volumes-move',
    title: 'Disks move to other claims',
    where: ['vmi'],
    pattern: /^VolumesChange: migrate volumes/,
    cause:
      'The VM names other claims (updateVolumesStrategy: Migration), and its disks have not arrived there. The guest runs on the old ones.',
    fix: '`virtctl migrate {name} --follow` shows the copy. If none begins: `kubectl -n {namespace} get vmim` and its events say why; the guest needs a second node that fits, and LiveMigrate in workloadUpdateMethods of the KubeVirt object. To call it off, put the old claims back in the VM.',
  },
  {
    id: 'resources-wait',
    title: 'CPUs or memory are on their way',
    where: ['vmi'],
    pattern: /^(HotVCPUChange|HotMemoryChange)/,
    cause:
      'The VM asks for more CPUs or memory than its guest has. The guest takes them over on its next node, and that migration has not ended well yet.',
    fix: '`kubectl -n {namespace} get vmim` and its events say how the migration stands; it needs another node that fits (`podvisor up --nodes 2`) and LiveMigrate in workloadUpdateMethods of the KubeVirt object. `virtctl restart {name}` brings them as well.',
  },
  {
    id: 'paused-by-user',
    title: 'Paused by a user',
    where: ['vmi'],
    pattern: /PausedByUser/,
    cause: 'Somebody paused the guest.',
    fix: '`virtctl unpause vmi {name}`.',
  },
  {
    id: 'restart-required',
    title: 'Restart required',
    where: ['vm'],
    pattern: /RestartRequired/,
    cause: 'The VM was changed in a way that a running guest cannot follow.',
    fix: '`virtctl render vm/{name} --diff` shows what would change; `virtctl restart {name}` makes it so.',
  },
  {
    id: 'guest-agent-missing',
    title: 'Guest agent missing',
    where: ['vmi'],
    pattern: /AgentNotConnected/,
    cause:
      'No QEMU guest agent answers in the guest. The guest runs; its addresses, users and file systems, frozen snapshots and keys need the agent.',
    fix: 'Install and start qemu-guest-agent in the guest (`apt-get install qemu-guest-agent`), e.g. by cloud-init.',
  },
];
