/**
 * The built-in resources as data. A row: plural, kind, `N`amespaced or `C`luster, short names, categories,
 * subresources. `status` and `scale` subresources are common; the rest is spelled out below.
 */

export interface ResourceRow {
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly string[];
  /** Name of the type in the library, when it is not the kind. */
  readonly type: string;
  /** Only these verbs, when not all. */
  readonly verbs: readonly string[] | undefined;
}

export interface GroupRow {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly ResourceRow[];
}

const TABLE = `
/v1
  bindings Binding N verbs=create
  componentstatuses ComponentStatus C short=cs verbs=get,list
  configmaps ConfigMap N short=cm
  endpoints Endpoints N short=ep
  events Event N short=ev type=CoreV1Event
  limitranges LimitRange N short=limits
  namespaces Namespace C short=ns sub=finalize,status verbs=create,delete,get,list,patch,update,watch
  nodes Node C short=no sub=proxy,status
  persistentvolumeclaims PersistentVolumeClaim N short=pvc sub=status
  persistentvolumes PersistentVolume C short=pv sub=status
  pods Pod N short=po cat=all sub=attach,binding,ephemeralcontainers,eviction,exec,log,portforward,proxy,resize,status
  podtemplates PodTemplate N
  replicationcontrollers ReplicationController N short=rc cat=all sub=scale,status
  resourcequotas ResourceQuota N short=quota sub=status
  secrets Secret N
  serviceaccounts ServiceAccount N short=sa sub=token
  services Service N short=svc cat=all sub=proxy,status
admissionregistration.k8s.io/v1
  mutatingadmissionpolicies MutatingAdmissionPolicy C cat=api-extensions
  mutatingadmissionpolicybindings MutatingAdmissionPolicyBinding C cat=api-extensions
  mutatingwebhookconfigurations MutatingWebhookConfiguration C cat=api-extensions
  validatingadmissionpolicies ValidatingAdmissionPolicy C cat=api-extensions sub=status
  validatingadmissionpolicybindings ValidatingAdmissionPolicyBinding C cat=api-extensions
  validatingwebhookconfigurations ValidatingWebhookConfiguration C cat=api-extensions
apiextensions.k8s.io/v1
  customresourcedefinitions CustomResourceDefinition C short=crd,crds cat=api-extensions sub=status
apiregistration.k8s.io/v1
  apiservices APIService C cat=api-extensions sub=status
apps/v1
  controllerrevisions ControllerRevision N
  daemonsets DaemonSet N short=ds cat=all sub=status
  deployments Deployment N short=deploy cat=all sub=scale,status
  replicasets ReplicaSet N short=rs cat=all sub=scale,status
  statefulsets StatefulSet N short=sts cat=all sub=scale,status
authentication.k8s.io/v1
  selfsubjectreviews SelfSubjectReview C verbs=create
  tokenreviews TokenReview C verbs=create
authorization.k8s.io/v1
  localsubjectaccessreviews LocalSubjectAccessReview N verbs=create
  selfsubjectaccessreviews SelfSubjectAccessReview C verbs=create
  selfsubjectrulesreviews SelfSubjectRulesReview C verbs=create
  subjectaccessreviews SubjectAccessReview C verbs=create
autoscaling/v1
  horizontalpodautoscalers HorizontalPodAutoscaler N short=hpa cat=all sub=status
autoscaling/v2
  horizontalpodautoscalers HorizontalPodAutoscaler N short=hpa cat=all sub=status type=V2HorizontalPodAutoscaler
batch/v1
  cronjobs CronJob N short=cj cat=all sub=status
  jobs Job N cat=all sub=status
certificates.k8s.io/v1
  certificatesigningrequests CertificateSigningRequest C short=csr sub=approval,status
coordination.k8s.io/v1
  leases Lease N
discovery.k8s.io/v1
  endpointslices EndpointSlice N
events.k8s.io/v1
  events Event N short=ev type=EventsV1Event
flowcontrol.apiserver.k8s.io/v1
  flowschemas FlowSchema C sub=status
  prioritylevelconfigurations PriorityLevelConfiguration C sub=status
networking.k8s.io/v1
  ingressclasses IngressClass C
  ingresses Ingress N short=ing sub=status
  ipaddresses IPAddress C short=ip
  networkpolicies NetworkPolicy N short=netpol
  servicecidrs ServiceCIDR C sub=status
node.k8s.io/v1
  runtimeclasses RuntimeClass C
policy/v1
  poddisruptionbudgets PodDisruptionBudget N short=pdb sub=status
rbac.authorization.k8s.io/v1
  clusterrolebindings ClusterRoleBinding C
  clusterroles ClusterRole C
  rolebindings RoleBinding N
  roles Role N
resource.k8s.io/v1
  deviceclasses DeviceClass C
  resourceclaims ResourceClaim N sub=status type=ResourceV1ResourceClaim
  resourceclaimtemplates ResourceClaimTemplate N
  resourceslices ResourceSlice C
scheduling.k8s.io/v1
  priorityclasses PriorityClass C short=pc
storage.k8s.io/v1
  csidrivers CSIDriver C
  csinodes CSINode C
  csistoragecapacities CSIStorageCapacity N
  storageclasses StorageClass C short=sc
  volumeattachments VolumeAttachment C sub=status
  volumeattributesclasses VolumeAttributesClass C short=vac
`;

/** Reads the table. */
export function resourceTable(): GroupRow[] {
  const groups: { group: string; version: string; resources: ResourceRow[] }[] = [];
  for (const line of TABLE.split('\n')) {
    if (line === '') continue;
    if (!line.startsWith(' ')) {
      const [group = '', version = ''] = line.split('/');
      groups.push({ group, version, resources: [] });
      continue;
    }
    const [plural = '', kind = '', scope, ...options] = line.trim().split(' ');
    const option = (name: string): string[] | undefined =>
      options
        .find((o) => o.startsWith(`${name}=`))
        ?.slice(name.length + 1)
        .split(',');
    groups.at(-1)?.resources.push({
      plural,
      kind,
      namespaced: scope === 'N',
      shortNames: option('short') ?? [],
      categories: option('cat') ?? [],
      subresources: option('sub') ?? [],
      type: option('type')?.[0] ?? kind,
      verbs: option('verbs'),
    });
  }
  return groups;
}
