import { LIMITS } from '../../../shared/limits.ts';
import { t } from '../../texts/house.ts';

export interface Rule {
  readonly text: string;
  readonly isMet: boolean;
}

/** The rules that can be seen while a password is typed; whether it is too common only the gateway knows. */
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
