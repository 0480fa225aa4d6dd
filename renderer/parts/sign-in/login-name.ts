import { LIMITS } from '../../../shared/limits.ts';

/** `Mara Okafor` is `mara`; empty when the name has no letters that a sign-in name may hold. */
export function loginFor(name: string): string {
  const [first = ''] = name.trim().split(/\s+/u);
  const plain = first.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.replaceAll(/[^\w.-]/gu, '').slice(0, LIMITS.loginLength);
}

export function isLoginName(text: string): boolean {
  return /^[\w.@+-]+$/u.test(text);
}
