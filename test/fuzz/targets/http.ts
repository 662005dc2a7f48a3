/** What a request says before its body: the Accept header and the path with its query. */
import { StatusError } from '@podvisor/base';
import { negotiate } from '../../../packages/apiserver/src/wire/negotiate.ts';
import { parseRequest } from '../../../packages/apiserver/src/wire/request-info.ts';
import { ReasonlessError } from '../../../packages/apiserver/src/wire/status.ts';
import { bytes, expect, type FuzzTarget, text } from '../frame/target.ts';

const refuses = (error: unknown): boolean => error instanceof StatusError || error instanceof ReasonlessError;

export const accept: FuzzTarget = {
  seeds: [
    'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
    'application/vnd.kubernetes.protobuf, application/yaml;q=0.5, application/json;q=0.1',
    'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1beta1;pretty=1,application/json',
  ].map(bytes),
  words: [
    'application/json',
    '*/*',
    ';q=',
    ';as=',
    'Table',
    ';g=meta.k8s.io',
    ';v=v1',
    ',',
    ';',
    '=',
    'NaN',
    'Infinity',
    '-1',
    '__proto__',
  ],
  refuses,
  feed: (input) => {
    for (const stream of [false, true]) {
      const { format } = negotiate(text(input), undefined, stream);
      expect(['json', 'yaml', 'protobuf'].includes(format), 'the form of an answer is one of three');
    }
  },
};

export const path: FuzzTarget = {
  seeds: [
    '/api/v1/namespaces/default/pods/a/log?container=c&follow=true',
    '/apis/kubevirt.io/v1/namespaces/n/virtualmachineinstances?watch=1&labelSelector=a%3Db',
    '/apis/subresources.kubevirt.io/v1/namespaces/n/virtualmachineinstances/x/portforward/22/tcp',
    '/api/v1/nodes/n/proxy/metrics',
  ].map(bytes),
  words: [
    '/',
    '//',
    '/..',
    '/.',
    '%2e%2e',
    '%2F',
    '%00',
    '%',
    '?',
    '&',
    '=',
    '#',
    ';',
    '\\',
    'namespaces',
    'proxy',
    'watch',
    'http://h/',
    '@',
    '%ff',
  ],
  refuses,
  feed: (input) => {
    const { namespace, name } = parseRequest('GET', text(input));
    for (const part of [namespace, name])
      expect(part !== '..' && part !== '.', 'no part of a resource leads to another directory');
  },
};
