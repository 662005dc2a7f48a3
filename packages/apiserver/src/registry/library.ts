/** The types of all built-in kinds, in one library. */
import { TypeLibrary } from './notation.ts';
import { admissionregistrationTypes } from './types/admissionregistration.ts';
import { apiextensionsTypes } from './types/apiextensions.ts';
import { apiregistrationTypes } from './types/apiregistration.ts';
import { appsTypes } from './types/apps.ts';
import { authenticationTypes } from './types/authentication.ts';
import { authorizationTypes } from './types/authorization.ts';
import { autoscalingTypes } from './types/autoscaling.ts';
import { batchTypes } from './types/batch.ts';
import { certificatesTypes } from './types/certificates.ts';
import { coordinationTypes } from './types/coordination.ts';
import { coreTypes } from './types/core.ts';
import { discoveryTypes } from './types/discovery.ts';
import { eventsTypes } from './types/events.ts';
import { flowcontrolTypes } from './types/flowcontrol.ts';
import { metricsTypes } from './types/metrics.ts';
import { networkingTypes } from './types/networking.ts';
import { nodeTypes } from './types/node.ts';
import { policyTypes } from './types/policy.ts';
import { rbacTypes } from './types/rbac.ts';
import { resourceTypes } from './types/resource.ts';
import { schedulingTypes } from './types/scheduling.ts';
import { storageTypes } from './types/storage.ts';

export const library = new TypeLibrary([
  coreTypes,
  appsTypes,
  batchTypes,
  policyTypes,
  coordinationTypes,
  discoveryTypes,
  eventsTypes,
  storageTypes,
  schedulingTypes,
  rbacTypes,
  apiextensionsTypes,
  apiregistrationTypes,
  admissionregistrationTypes,
  authenticationTypes,
  authorizationTypes,
  certificatesTypes,
  metricsTypes,
  networkingTypes,
  autoscalingTypes,
  nodeTypes,
  resourceTypes,
  flowcontrolTypes,
]);
