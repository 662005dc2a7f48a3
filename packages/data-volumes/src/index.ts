/** DataVolumes where no CDI is: controllers for any API server, and the server that takes uploads. */
export type { DataVolumesContext } from './context.ts';
export { dataVolumeControllers } from './controllers.ts';
export { workerName } from './names.ts';
export { runDataVolumes } from './run-data-volumes.ts';
export { startUploadProxy } from './upload/proxy.ts';
export { UPLOAD_GROUP } from './upload/token-requests.ts';
export { uploadKey, UploadTokens } from './upload/token.ts';
