import { expect, test } from 'vitest';
import { isLoopbackHost, isPublicAddress } from '../../server/platform/public-address.ts';

const publicAddresses = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.1',
  '193.0.0.1',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80b::200e',
  '2001:4860:4860::8888',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '64:ff9b::8.8.8.8',
];

const otherAddresses = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.1.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::1.2.3.4',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '::ffff:169.254.169.254',
  '0:0:0:0:0:ffff:c0a8:0101',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::8.8.8.8',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:808:808::1',
  '3fff::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  '2606:4700:4700::1111%eth0',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
  '',
  'localhost',
  '8.8.8',
  '0x08080808',
  '08.8.8.8',
  '[2606:4700:4700::1111]',
  ' 8.8.8.8',
];

test.each(publicAddresses)('%s is public', (ip) => {
  expect(isPublicAddress(ip)).toBe(true);
});

test.each(otherAddresses)('"%s" is not public', (ip) => {
  expect(isPublicAddress(ip)).toBe(false);
});

test.each([
  'localhost',
  'LOCALHOST',
  '127.0.0.1',
  '127.9.9.9',
  '::1',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
])('%s is this computer', (host) => {
  expect(isLoopbackHost(host)).toBe(true);
});

test.each([
  '',
  '0.0.0.0',
  '::',
  '10.0.0.1',
  'localhost.example.com',
  '127.0.0.1.example.com',
  '128.0.0.1',
  '[::2]',
])('"%s" is not this computer', (host) => {
  expect(isLoopbackHost(host)).toBe(false);
});
