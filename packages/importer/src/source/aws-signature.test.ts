import assert from 'node:assert/strict';
import { test } from 'node:test';
import { regionOf, signedHeaders } from './aws-signature.ts';

test('the example of the published description', () => {
  const headers = signedHeaders({
    url: 'https://examplebucket.s3.amazonaws.com/test.txt',
    region: 'us-east-1',
    keys: {
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    },
    nowMs: Date.UTC(2013, 4, 24),
    headers: { range: 'bytes=0-9' },
  });
  assert.equal(
    headers['authorization'],
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
  assert.equal(headers['x-amz-date'], '20130524T000000Z');
});

test('regions by the names of hosts', () => {
  for (const [host, region] of [
    ['s3.eu-central-1.amazonaws.com', 'eu-central-1'],
    ['bucket.s3.us-gov-west-1.amazonaws.com', 'us-gov-west-1'],
    ['s3-ap-south-1.amazonaws.com', 'ap-south-1'],
    ['s3.amazonaws.com', 'us-east-1'],
    ['minio.example', 'us-east-1'],
  ])
    assert.equal(regionOf(`https://${host}/bucket/key`), region);
});
