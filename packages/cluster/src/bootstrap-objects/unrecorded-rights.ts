/**
 * Rights that the recorded runs did not use, each with when it is used. An entry that a recording shows is taken
 * out again: the test insists.
 */
export const UNRECORDED_RIGHTS: Readonly<Record<string, string>> = {
  'kubevirt-apiserver list kubevirt.io/virtualmachines cluster':
    'a KubeVirt object is deleted, and asks whether VMs are left',
  'kubevirt-apiserver list kubevirt.io/virtualmachineinstances cluster':
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
  'kubevirt-apiserver get apps/controllerrevisions cluster': 'a VM with an instance type is expanded',
  'kubevirt-apiserver get cdi.kubevirt.io/datavolumes cluster': 'an instance type is inferred from a disk',
  'kubevirt-apiserver get snapshot.storage.k8s.io/volumesnapshots cluster':
    'an instance type is inferred from a snapshot',
  'kubevirt-controller delete kubevirt.io/virtualmachines cluster': 'a pool becomes smaller',
  'kubevirt-controller delete kubevirt.io/virtualmachineinstancemigrations cluster':
    'the volumes of a VM are changed back while they move',
  'kubevirt-controller update kubevirt.io/virtualmachineinstancereplicasets/status cluster':
    'there is a VirtualMachineInstanceReplicaSet',
  'kubevirt-controller update pool.kubevirt.io/virtualmachinepools/status cluster':
    'there is a VirtualMachinePool',
  'kubevirt-controller create snapshot.kubevirt.io/virtualmachinesnapshots cluster': 'a VM is cloned',
  'kubevirt-controller get instancetype.kubevirt.io/virtualmachineinstancetypes cluster':
    'a VM names an instance type or a preference',
  'kubevirt-controller get instancetype.kubevirt.io/virtualmachineclusterinstancetypes cluster':
    'a VM names an instance type or a preference',
  'kubevirt-controller get instancetype.kubevirt.io/virtualmachinepreferences cluster':
    'a VM names an instance type or a preference',
  'kubevirt-controller get instancetype.kubevirt.io/virtualmachineclusterpreferences cluster':
    'a VM names an instance type or a preference',
  'kubevirt-controller patch /pods/resize cluster': 'a running guest gets CPUs or memory on its node',
  'kubevirt-controller create /pods/eviction cluster': 'a VM is evicted when programs were updated',
  'kubevirt-controller get /nodes cluster': 'a virt-handler is silent, and its node takes no more VMs',
  'kubevirt-controller patch /nodes cluster': 'a virt-handler is silent, and its node takes no more VMs',
  'kubevirt-controller patch /events cluster': 'an event is repeated',
  'kubevirt-controller delete policy/poddisruptionbudgets cluster': 'a budget of an older version is left',
  'kubevirt-controller get cdi.kubevirt.io/datasources cluster': 'a DataVolume of a VM names a DataSource',
  'kubevirt-controller update kubevirt.io/kubevirts/status kubevirt':
    'the configuration is wrong, or workloads are out of date',
  'kubevirt-controller patch kubevirt.io/kubevirts/status kubevirt':
    'the configuration is wrong, or workloads are out of date',
  'kubevirt-handler patch /events cluster': 'an event is repeated',
  'kubevirt-handler list coordination.k8s.io/leases kubevirt':
    'a Pod waits for its certificates on a cluster',
  'kubevirt-handler watch coordination.k8s.io/leases kubevirt':
    'a Pod waits for its certificates on a cluster',
  'kubevirt-data-volumes list cdi.kubevirt.io/datavolumes cluster': 'on a cluster it has caches of its own',
  'kubevirt-data-volumes watch cdi.kubevirt.io/datavolumes cluster': 'on a cluster it has caches of its own',
  'kubevirt-data-volumes list cdi.kubevirt.io/datasources cluster': 'on a cluster it has caches of its own',
  'kubevirt-data-volumes watch cdi.kubevirt.io/datasources cluster': 'on a cluster it has caches of its own',
  'kubevirt-data-volumes list /persistentvolumeclaims cluster': 'on a cluster it has caches of its own',
  'kubevirt-data-volumes watch /persistentvolumeclaims cluster': 'on a cluster it has caches of its own',
  'kubevirt-data-volumes list /pods cluster': 'on a cluster it has caches of its own',
  'kubevirt-data-volumes watch /pods cluster': 'on a cluster it has caches of its own',
  'kubevirt-data-volumes list storage.k8s.io/storageclasses cluster': 'on a cluster it has caches of its own',
  'kubevirt-data-volumes watch storage.k8s.io/storageclasses cluster':
    'on a cluster it has caches of its own',
  'kubevirt-data-volumes list snapshot.storage.k8s.io/volumesnapshots cluster':
    'on a cluster it has caches of its own',
  'kubevirt-data-volumes watch snapshot.storage.k8s.io/volumesnapshots cluster':
    'on a cluster it has caches of its own',
  'kubevirt-data-volumes create cdi.kubevirt.io/cdiconfigs cluster': 'on a cluster nobody else makes it',
  'kubevirt-data-volumes get coordination.k8s.io/leases kubevirt': 'on a cluster it takes the lead',
  'kubevirt-data-volumes create coordination.k8s.io/leases kubevirt': 'on a cluster it takes the lead',
  'kubevirt-data-volumes update coordination.k8s.io/leases kubevirt': 'on a cluster it takes the lead',
  'kubevirt-data-volumes patch /events cluster': 'an event is repeated',
  'system:kube-proxy create /events cluster': 'a Service asks for an address that it cannot have',
  'system:kube-proxy patch /events cluster': 'an event is repeated',
};
