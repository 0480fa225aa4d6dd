import { LIMITS } from '../../../shared/limits.ts';
import { t } from '../../texts/administration.ts';

export interface Rule {
  readonly text: string;
  readonly isMet: boolean;
}

/**
 * Returns the rules that can be checked while a password is typed. Only the gateway can check whether it is too common.
 */
export function passwordRules(password: string, again: string, login: string): readonly Rule[] {
  const text = password.normalize('NFC');
  const length = [...text].length;
  const { least, most } = LIMITS.passwordLength;
  const isLogin = text.trim().toLowerCase() === login.trim().toLowerCase();
  return [
    { text: t.setup.owner.ruleLength, isMet: length >= least && length <= most },
    { text: t.setup.owner.ruleLogin, isMet: password !== '' && !isLogin },
    { text: t.setup.owner.ruleSame, isMet: password !== '' && password === again },
  ];
}
