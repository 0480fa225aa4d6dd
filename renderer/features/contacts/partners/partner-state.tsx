import type { Partner } from '../../../api/partners.ts';
import { t } from '../../../texts/partners.ts';
import type { IconName } from '../../../ui/icon.tsx';
import { StateWord, type Tone } from '../../../ui/state-word.tsx';

const words = t.partners.states;

const SIGNS: Readonly<Record<keyof typeof words, { tone: Tone; icon: IconName }>> = {
  pending: { tone: 'plain', icon: 'pending' },
  code: { tone: 'go', icon: 'going' },
  partly: { tone: 'ok', icon: 'ok' },
  verified: { tone: 'ok', icon: 'shield' },
  renew: { tone: 'warn', icon: 'warn' },
  revoked: { tone: 'plain', icon: 'block' },
};

/** The state in a word or two, with an icon. */
export function PartnerState({ partner }: { partner: Partner }) {
  const state = shownState(partner);
  return (
    <StateWord {...SIGNS[state]} size="body">
      {words[state]}
    </StateWord>
  );
}

function shownState({ state, renewal_due, sends_directly, code_sent }: Partner): keyof typeof words {
  if (state === 'revoked') return 'revoked';
  if (renewal_due) return 'renew';
  if (state === 'verified') return sends_directly ? 'verified' : 'partly';
  return code_sent ? 'code' : 'pending';
}
