/** Types of the certificates group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const certificatesTypes = `
CertificateSigningRequest
  kind string; apiVersion string; metadata ObjectMeta; spec CertificateSigningRequestSpec!+;
  status CertificateSigningRequestStatus+;
CertificateSigningRequestSpec
  expirationSeconds int32*; extra {}[]string; groups []string; request bytes!; signerName string!;
  uid string; usages []string; username string;
CertificateSigningRequestStatus
  certificate bytes; conditions []CertificateSigningRequestCondition map:type;
CertificateSigningRequestCondition
  lastTransitionTime time; lastUpdateTime time; message string; reason string; status string!;
  type string!;
`;
