/**
 * Rights that are granted and that a whole run of the tests may leave unused, each with the reason. Any other that a whole
 * run does not use fails it (scripts/unused-rights.ts).
 */

/** No test makes use of them; said is when they are used. An entry that a run does use is to be taken out. */
export const UNRECORDED_RIGHTS: Readonly<Record<string, string>> = {
  'kubevirt-apiserver list kubevirt.io/virtualmachines cluster':
    'a KubeVirt object is deleted, and asks whether VMs are left',
  'kubevirt-apiserver list kubevirt.io/virtualmachineinstancereplicasets cluster':
    'a KubeVirt object is deleted, and asks whether VMs are left',
  'kubevirt-apiserver get instancetype.kubevirt.io/virtualmachineinstancetypes cluster':
    'a VM names an instance type or a preference',
  'kubevirt-apiserver get instancetype.kubevirt.io/virtualmachineclusterinstancetypes cluster':
    'a VM names an instance type or a preference',
  'kubevirt-apiserver get instancetype.kubevirt.io/virtualmachinepreferences cluster':
    'a VM names an instance type or a preference',
  'kubevirt-apiserver get instancetype.kubevirt.io/virtualmachineclusterpreferences cluster':
    'a VM names an instance type or a preference',
  'kubevirt-apiserver get /nodes cluster': "a VM is moved away from its node, and asks for the node's taints",
  'kubevirt-apiserver list /pods cluster': "somebody asks for a VM's object graph (gate ObjectGraph)",
  'kubevirt-apiserver list /persistentvolumeclaims cluster':
    'somebody asks for the object graph of a VM with a persistent TPM or firmware (gate ObjectGraph)',
  'kubevirt-apiserver get apps/controllerrevisions cluster': 'a VM with an instance type is expanded',
  'kubevirt-apiserver get cdi.kubevirt.io/datavolumes cluster': 'an instance type is inferred from a disk',
  'kubevirt-apiserver get snapshot.storage.k8s.io/volumesnapshots cluster':
    'an instance type is inferred from a snapshot',
  'kubevirt-controller delete kubevirt.io/virtualmachines cluster': 'a pool becomes smaller',
  'kubevirt-controller update kubevirt.io/virtualmachineinstancereplicasets/status cluster':
    'there is a VirtualMachineInstanceReplicaSet',
  'kubevirt-controller create snapshot.kubevirt.io/virtualmachinesnapshots cluster': 'a VM is cloned',
  'kubevirt-controller get instancetype.kubevirt.io/virtualmachineinstancetypes cluster':
    'a VM names an instance type or a preference',
  'kubevirt-controller get instancetype.kubevirt.io/virtualmachineclusterinstancetypes cluster':
    'a VM names an instance type or a preference',
  'kubevirt-controller get instancetype.kubevirt.io/virtualmachinepreferences cluster':
    'a VM names an instance type or a preference',
  'kubevirt-controller get instancetype.kubevirt.io/virtualmachineclusterpreferences cluster':
    'a VM names an instance type or a preference',
  'kubevirt-controller create /pods/eviction cluster': 'a VM is evicted when programs were updated',
  'kubevirt-controller get /nodes cluster': 'a virt-handler is silent, and its node takes no more VMs',
  'kubevirt-controller patch /events cluster': 'an event is repeated',
  'kubevirt-controller delete policy/poddisruptionbudgets cluster': 'a budget of an older version is left',
  'kubevirt-controller get cdi.kubevirt.io/datasources cluster': 'a DataVolume of a VM names a DataSource',
  'kubevirt-controller update kubevirt.io/kubevirts/status kubevirt':
    'the configuration is wrong, or workloads are out of date',
  'kubevirt-handler patch /events cluster': 'an event is repeated',
  'kubevirt-data-volumes watch snapshot.storage.k8s.io/volumesnapshots cluster':
    'on a cluster it has caches of its own',
  'kubevirt-data-volumes get coordination.k8s.io/leases kubevirt': 'on a cluster it takes the lead',
  'kubevirt-data-volumes create coordination.k8s.io/leases kubevirt': 'on a cluster it takes the lead',
  'kubevirt-data-volumes update coordination.k8s.io/leases kubevirt': 'on a cluster it takes the lead',
  'kubevirt-data-volumes patch /events cluster': 'an event is repeated',
  'system:kube-proxy create /events cluster': 'a Service asks for an address that it cannot have',
  'system:kube-proxy patch /events cluster': 'an event is repeated',
  'service-account-controller update /configmaps cluster': "the cluster's CA changes",
  'persistent-volume-binder patch /events cluster': 'an event is repeated',
  'snapshot-controller patch /events cluster': 'an event is repeated',
  'pod-garbage-collector get /nodes cluster': 'a Pod is on a node that the cache does not know',
  'pod-garbage-collector patch /pods/status cluster': 'the node of a Pod is gone',
  'node-controller patch /events cluster': 'an event is repeated',
  'taint-eviction-controller patch /events cluster': 'an event is repeated',
  'replicaset-controller patch /events cluster': 'an event is repeated',
  'deployment-controller get apps/replicasets cluster': 'the name of a new ReplicaSet is taken',
  'deployment-controller patch /events cluster': 'an event is repeated',
  'daemon-set-controller patch /pods cluster':
    'a Pod without an owner is selected, or one is selected no more',
  'daemon-set-controller delete apps/controllerrevisions cluster':
    'a DaemonSet has more revisions than it keeps',
  'daemon-set-controller patch /events cluster': 'an event is repeated',
  'statefulset-controller patch /pods cluster':
    'a Pod without an owner is selected, or one is selected no more',
  'statefulset-controller patch apps/controllerrevisions cluster': 'a template comes back',
  'statefulset-controller patch /events cluster': 'an event is repeated',
  'job-controller patch /pods cluster': 'a Pod without an owner is selected, or one is selected no more',
  'job-controller patch /events cluster': 'an event is repeated',
  'cronjob-controller create batch/jobs cluster': 'the minute of a CronJob comes',
  'cronjob-controller delete batch/jobs cluster': 'a CronJob has more Jobs than it keeps',
  'cronjob-controller create /events cluster': 'the minute of a CronJob comes',
  'cronjob-controller patch /events cluster': 'an event is repeated',
  'horizontal-pod-autoscaler patch */*/scale cluster': 'a workload becomes larger or smaller by its load',
  'horizontal-pod-autoscaler create /events cluster': 'a workload becomes larger or smaller by its load',
  'horizontal-pod-autoscaler patch /events cluster': 'an event is repeated',
  'service-controller update /services/status cluster': 'there is a Service of type LoadBalancer',
  'service-controller create /events cluster': 'no address is left for a Service',
  'service-controller patch /events cluster': 'an event is repeated',
};

const READ_AGAIN = 'it is read again when the cache may be behind, which depends on who was faster';
const WHEN_IT_IS_OVER = 'what has ended is taken away; a test may end, and its home with it, before that';
const METRICS = 'somebody reads metrics, and the answer about him is not remembered any more';
const SILENT_NODE = 'a node is silent for long enough';
const AUTOSCALER = 'the turn of an autoscaler comes while there is one';

/**
 * Some runs show them and some do not: said is on what it depends. Recordings of single files show that they depend on
 * time, or none of them shows the right though a whole run has (testing/rbac-recording.json).
 */
export const OCCASIONAL_RIGHTS: Readonly<Record<string, string>> = {
  'kubevirt-apiserver list kubevirt.io/virtualmachineinstances cluster':
    'a KubeVirt object is deleted, and asks whether VMs are left',
  'kubevirt-apiserver patch kubevirt.io/virtualmachineinstances cluster':
    'a VMI without a VM gets a volume, or is evicted',
  'kubevirt-apiserver patch kubevirt.io/virtualmachines/status cluster':
    'a start finds the VM as it must be: else the request is refused before',
  'kubevirt-apiserver list backup.kubevirt.io/virtualmachinebackups cluster':
    'a second backup is asked for while there is one',
  'kubevirt-apiserver get /pods cluster':
    'a Pod of a VMI is evicted, and not found by the name that the VMI has',
  'kubevirt-apiserver get /persistentvolumeclaims cluster': 'a memory dump names its claim',
  'kubevirt-apiserver get cdi.kubevirt.io/datasources cluster':
    'an instance type is inferred from a DataSource',
  'kubevirt-apiserver get cdi.kubevirt.io/cdiconfigs cluster':
    'a memory dump asks how much of its claim a file system takes',
  'kubevirt-apiserver create authentication.k8s.io/tokenreviews cluster': METRICS,
  'kubevirt-controller delete kubevirt.io/virtualmachineinstancemigrations cluster':
    'the volumes of a VM are changed back while they move',
  'kubevirt-controller patch /pods/resize cluster': 'a running guest gets CPUs or memory on its node',
  'kubevirt-controller delete snapshot.kubevirt.io/virtualmachinesnapshots cluster': WHEN_IT_IS_OVER,
  'kubevirt-controller patch snapshot.kubevirt.io/virtualmachinesnapshotcontents cluster': WHEN_IT_IS_OVER,
  'kubevirt-controller delete snapshot.kubevirt.io/virtualmachinesnapshotcontents cluster': WHEN_IT_IS_OVER,
  'kubevirt-controller delete snapshot.kubevirt.io/virtualmachinerestores cluster': WHEN_IT_IS_OVER,
  'kubevirt-controller patch snapshot.kubevirt.io/virtualmachinerestores/status cluster':
    'a restore goes on after another write was faster',
  'kubevirt-controller create export.kubevirt.io/virtualmachineexports cluster':
    'a backup is made to be pulled',
  'kubevirt-controller delete export.kubevirt.io/virtualmachineexports cluster': WHEN_IT_IS_OVER,
  'kubevirt-controller delete clone.kubevirt.io/virtualmachineclones cluster': WHEN_IT_IS_OVER,
  'kubevirt-controller get clone.kubevirt.io/virtualmachineclones cluster': READ_AGAIN,
  'kubevirt-controller get backup.kubevirt.io/virtualmachinebackups cluster': READ_AGAIN,
  'kubevirt-controller get backup.kubevirt.io/virtualmachinebackuptrackers cluster': READ_AGAIN,
  'kubevirt-controller patch backup.kubevirt.io/virtualmachinebackups cluster': WHEN_IT_IS_OVER,
  'kubevirt-controller patch backup.kubevirt.io/virtualmachinebackuptrackers/status cluster':
    'a backup with a tracker has ended while virt-controller looks',
  'kubevirt-controller update subresources.kubevirt.io/virtualmachineinstances/redefine-checkpoint cluster':
    'a guest with a checkpoint was started anew',
  'kubevirt-controller get subresources.kubevirt.io/virtualmachineinstances/backupprogress cluster':
    'a backup takes longer than a look',
  'kubevirt-controller patch /persistentvolumeclaims cluster':
    'a claim that is restored or grows is found as it was before',
  'kubevirt-controller patch /nodes cluster': 'a virt-handler is silent, and its node takes no more VMs',
  'kubevirt-controller get storage.k8s.io/storageclasses cluster': READ_AGAIN,
  'kubevirt-controller get snapshot.storage.k8s.io/volumesnapshots cluster': READ_AGAIN,
  'kubevirt-controller delete snapshot.storage.k8s.io/volumesnapshots cluster': WHEN_IT_IS_OVER,
  'kubevirt-controller get cdi.kubevirt.io/datavolumes cluster': READ_AGAIN,
  'kubevirt-controller patch cdi.kubevirt.io/datavolumes cluster':
    'a DataVolume of a template is found as it was before',
  'kubevirt-controller delete cdi.kubevirt.io/datavolumes cluster': WHEN_IT_IS_OVER,
  'kubevirt-controller get cdi.kubevirt.io/storageprofiles cluster': READ_AGAIN,
  'kubevirt-controller create authorization.k8s.io/subjectaccessreviews cluster': METRICS,
  'kubevirt-controller create authentication.k8s.io/tokenreviews cluster': METRICS,
  'kubevirt-controller patch kubevirt.io/kubevirts/status kubevirt':
    'the configuration is wrong, or workloads are out of date',
  'kubevirt-handler create authorization.k8s.io/subjectaccessreviews cluster': METRICS,
  'kubevirt-handler create authentication.k8s.io/tokenreviews cluster': METRICS,
  'kubevirt-handler list coordination.k8s.io/leases kubevirt':
    'a Pod waits for its certificates on a cluster',
  'kubevirt-handler watch coordination.k8s.io/leases kubevirt':
    'a Pod waits for its certificates on a cluster',
  'kubevirt-data-volumes get /pods/log cluster': 'an importer has failed, and its last words are asked for',
  'node-controller patch /nodes cluster': SILENT_NODE,
  'node-controller patch /nodes/status cluster': SILENT_NODE,
  'node-controller patch /pods/status cluster': SILENT_NODE,
  'node-controller create /events cluster': SILENT_NODE,
  'taint-eviction-controller delete /pods cluster': SILENT_NODE,
  'taint-eviction-controller create /events cluster': SILENT_NODE,
  'cronjob-controller update batch/cronjobs/status cluster': 'the minute of a CronJob comes',
  'horizontal-pod-autoscaler get */*/scale cluster': AUTOSCALER,
  'horizontal-pod-autoscaler list /pods cluster': AUTOSCALER,
  'horizontal-pod-autoscaler list metrics.k8s.io/pods cluster': AUTOSCALER,
  'horizontal-pod-autoscaler update autoscaling/horizontalpodautoscalers/status cluster': AUTOSCALER,
};
