import { useMutation, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import {
  cardRoutesQuery,
  type RateCard,
  rateCardQuery,
  rateCardsChanged,
  rates,
} from '../../api/rate-cards.ts';
import { isRefused, sentenceOf } from '../../api/sentence.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { useProviderName } from '../../parts/provider-name.ts';
import { t } from '../../texts/costs.ts';
import { Button } from '../../ui/button.tsx';
import { ENDS } from '../../ui/focus/places.ts';
import { formatCount } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import { numbersWord, pricePhrases, startWord } from './card-words.ts';
import styles from './costs.module.css';
import { RateCardDialog } from './rate-card-dialog.tsx';

const words = t.costs.cards;

/** One rate card with its newest prices, and what can be done with it. */
export function RateCardItem({ card, mayManage }: { card: RateCard; mayManage: boolean }) {
  const [doing, setDoing] = useState<'change' | 'remove' | null>(null);
  const [hasVersions, setVersions] = useState(false);
  const routes = useQuery({ ...cardRoutesQuery, enabled: card.route_id !== null }).data;
  const route = routes && (routes.find(({ id }) => id === card.route_id)?.name ?? words.formerRoute);
  const provider = useProviderName()(card.backend);
  const whose = card.route_id === null || route === undefined ? provider : words.ofRoute(provider, route);
  const name = words.name(whose, numbersWord(card.prefixes));
  const done = () => setDoing(null);
  return (
    <li className={styles['card']}>
      <div className={styles['line']}>
        <div className={styles['words']}>
          <p className={styles['name']}>{name}</p>
          <p>{pricePhrases(card).join(', ')}</p>
          <p className={styles['meta']}>
            {[forceWord(card), card.source && words.source(card.source)].filter(Boolean).join(' · ')}
          </p>
        </div>
        {card.version > 1 && (
          <Button
            variant="plain"
            aria-expanded={hasVersions}
            aria-label={hasVersions ? words.hideVersions : words.versionsOf(name)}
            onPress={() => setVersions(!hasVersions)}
          >
            {hasVersions ? words.hideVersions : words.versions}
          </Button>
        )}
        {mayManage && (
          <Button aria-label={words.changeOf(name)} onPress={() => setDoing('change')}>
            {words.change}
          </Button>
        )}
        {mayManage && doing !== 'remove' && (
          <Button {...ENDS} aria-label={words.removeOf(name)} onPress={() => setDoing('remove')}>
            {words.remove}
          </Button>
        )}
      </div>
      {doing === 'remove' && <RemoveQuestion card={card} name={name} onNo={done} />}
      {hasVersions && <Versions id={card.id} />}
      {doing === 'change' && <RateCardDialog card={card} name={name} onClose={done} />}
    </li>
  );
}

/** Returns since when the newest prices are in force, or when they will be. */
function forceWord({ version, in_force, valid_from }: RateCard): string {
  if (in_force === version) return words.since(startWord(valid_from));
  return `${words.from(startWord(valid_from))}; ${in_force === null ? words.notYet : words.until}`;
}

/** Asks for confirmation in place; the focus is on the button that changes nothing. */
function RemoveQuestion({ card, name, onNo }: { card: RateCard; name: string; onNo: () => void }) {
  const no = useRef<HTMLButtonElement>(null);
  useEffect(() => no.current?.focus(), []);
  const removing = useMutation({
    mutationFn: () => rates.removeRateCard({ params: { id: card.id }, body: { version: card.version } }),
    onSuccess: async () => {
      announce(words.removed);
      await rateCardsChanged();
    },
  });
  const reload = async () => {
    await rateCardsChanged();
    removing.reset();
  };
  const isStale = isRefused(removing.error, 'stale', 'no_such_rate_card');
  const leave = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onNo();
  };
  const title = words.removeTitle(name);
  return (
    <div role="group" aria-label={title} onKeyDown={leave}>
      <Notice tone="warn" isLive title={title}>
        <p>{words.removeSentence}</p>
        {removing.error !== null && <p role="alert">{sentenceOf(removing.error)}</p>}
        <div className={styles['two']}>
          {isStale ? (
            <Button onPress={() => void reload()}>{words.staleReload}</Button>
          ) : (
            <Button isPending={removing.isPending} onPress={() => removing.mutate()}>
              {words.removeYes}
            </Button>
          )}
          <Button ref={no} onPress={onNo}>
            {t.costs.form.cancel}
          </Button>
        </div>
      </Notice>
    </div>
  );
}

/** Shows the earlier versions of the card, with their start. */
function Versions({ id }: { id: string }) {
  const read = useQuery(rateCardQuery(id));
  const heads = [words.fromHead, words.prices, words.numbers, words.enteredBy, words.sourceHead];
  return (
    <>
      <LoadProblem of={read} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by the keyboard. */}
      <div className={styles['scroll']} role="group" aria-label={words.versions} tabIndex={0}>
        {read.data && (
          <table className={styles['table']} aria-label={words.versions}>
            <thead>
              <tr>
                <th scope="col">{words.version}</th>
                {heads.map((head) => (
                  <th key={head} scope="col" data-text>
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {read.data.versions.map((version) => (
                <tr key={version.version}>
                  <th scope="row">{formatCount(version.version)}</th>
                  <td data-text>{startWord(version.valid_from)}</td>
                  <td data-text>{pricePhrases(version).join(', ')}</td>
                  <td data-text>{numbersWord(version.prefixes)}</td>
                  <td data-text>{version.created_by}</td>
                  <td data-text>{version.source || words.none}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </>
  );
}
