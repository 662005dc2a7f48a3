/** Types of the certificates group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const certificatesTypes = `
CertificateSigningRequest
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 CertificateSigningRequestSpec!+;
  status=3 CertificateSigningRequestStatus+;
CertificateSigningRequestSpec
  expirationSeconds=8 int32*; extra=6 {}[]string; groups=4 []string; request=1 bytes!; signerName=7 string!;
  uid=3 string; usages=5 []string; username=2 string;
CertificateSigningRequestStatus
  certificate=2 bytes; conditions=1 []CertificateSigningRequestCondition map:type;
CertificateSigningRequestCondition
  lastTransitionTime=5 time; lastUpdateTime=4 time; message=3 string; reason=2 string; status=6 string!;
  type=1 string!;
`;
