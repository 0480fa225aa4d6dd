import { isIP, isIPv4 } from 'node:net';

/** A host name or an IP address: what can stand in a configuration line without meaning anything else. */
export function isHost(text: string): boolean {
  return isIP(text) !== 0 || /^(?=.{1,253}$)[A-Za-z\d](?:[A-Za-z\d.-]*[A-Za-z\d])?$/u.test(text);
}

/** An address with the length of its network, e.g. `192.168.1.0/24`. */
export function isNetwork(text: string): boolean {
  const [address = '', length = '', ...more] = text.split('/');
  if (more.length > 0 || !/^\d{1,3}$/u.test(length)) return false;
  return isIP(address) !== 0 && Number(length) <= (isIPv4(address) ? 32 : 128);
}
