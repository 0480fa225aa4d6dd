import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isAtGateway } from '../../../api/at-gateway.ts';
import { queryClient, usePermission } from '../../../api/queries.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { type LineFacts, lineQuery, telephony } from '../../../api/telephony.ts';
import { LoadProblem } from '../../../parts/load-problem.tsx';
import { t } from '../../../texts/administration.ts';
import { Button } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { CopyField } from '../../../ui/copy-field.tsx';
import { TextField } from '../../../ui/field.tsx';
import { formatDayAndTime } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import { StateWord } from '../../../ui/state-word.tsx';
import styles from '../settings.module.css';
import { installSteps, likelyPlace, PLACES, type Place } from './engine-steps.ts';

const words = t.settings.line;

/** Writes the saved line as configuration of Asterisk, and shows the steps to install it. */
export function LineConfiguration(props: { engineHost: string; hasChanges: boolean }) {
  const mayWrite = usePermission('providers:write');
  const facts = useQuery({ ...lineQuery, enabled: mayWrite });
  return (
    <section className={styles['part']} aria-labelledby="line-configuration">
      <h3 className={styles['title']} id="line-configuration">
        {words.configuration}
      </h3>
      <p className={styles['sentence']}>{words.configurationSentence}</p>
      {!mayWrite && <p className={styles['sentence']}>{words.mayNot}</p>}
      {mayWrite && !facts.data && <LoadProblem of={facts} />}
      {facts.data && <Configuration facts={facts.data} {...props} />}
    </section>
  );
}

interface ConfigurationParts {
  readonly facts: LineFacts;
  readonly engineHost: string;
  readonly hasChanges: boolean;
}

function Configuration({ facts, engineHost, hasChanges }: ConfigurationParts) {
  const [chosen, choose] = useState<Place | null>(null);
  const place = chosen ?? likelyPlace(facts, engineHost);
  const order = useConfigurationRequest(place, engineHost);
  const obstacle = hasChanges ? words.saveFirst : facts.problem;
  const { written_at: at, folder } = facts.configuration;
  return (
    <>
      <Choice
        label={words.place}
        options={PLACES.map((id) => ({ id, label: words.places[id] }))}
        value={place}
        onChange={choose}
      />
      {place === 'other' && (
        <TextField
          label={words.address}
          help={words.addressHelp}
          value={order.address}
          onChange={order.setAddress}
          error={order.address === '' || order.body ? null : words.addressWrong}
          inputMode="url"
          autoComplete="off"
        />
      )}
      <WriteButton isFirst={at === null} body={order.body} obstacle={obstacle} />
      <div role="status">
        {at !== null && <Written at={at} folder={folder} isCurrent={facts.configuration.is_current} />}
      </div>
      {at !== null && <Steps place={place} facts={facts} engineHost={engineHost} />}
    </>
  );
}

interface Body {
  readonly gateway_url?: string;
  readonly manager_bind?: string;
}

/**
 * Returns the address field and the body of the request for the configuration of a place; the body is null while an
 * address is missing.
 */
function useConfigurationRequest(place: Place, engineHost: string) {
  const [address, setAddress] = useState(() => (isAtGateway() ? '' : location.origin));
  const isAddress = /^https?:\/\/[^\s/]+\/?$/u.test(address);
  const other = isAddress ? { gateway_url: address, manager_bind: bindOf(engineHost) } : null;
  const body: Body | null = place === 'other' ? other : {};
  return { address, setAddress, body };
}

function WriteButton(props: { isFirst: boolean; body: Body | null; obstacle: string | null }) {
  const { isFirst, body, obstacle } = props;
  const writing = useMutation({
    mutationFn: (order: Body) => telephony.writeTelephonyConfiguration({ body: order }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: lineQuery.queryKey }),
  });
  return (
    <>
      <div className={styles['aside']}>
        <Button
          icon="file"
          isPending={writing.isPending}
          isDisabled={obstacle !== null || body === null}
          onPress={() => body && writing.mutate(body)}
        >
          {isFirst ? words.write : words.writeAgain}
        </Button>
        <span className={styles['note']}>
          {obstacle ?? (body === null ? words.addressFirst : isFirst && words.notWritten)}
        </span>
      </div>
      {writing.error && (
        <Notice tone="danger" isLive>
          {sentenceOf(writing.error)}
        </Notice>
      )}
    </>
  );
}

function Written({ at, folder, isCurrent }: { at: string; folder: string; isCurrent: boolean }) {
  if (!isCurrent)
    return (
      <Notice tone="warn" icon="refresh" title={words.outdated}>
        {words.outdatedSentence}
      </Notice>
    );
  return (
    <StateWord tone="ok" icon="ok" size="body">
      <span className={styles['result']}>{words.written(formatDayAndTime(at), folder)}</span>
    </StateWord>
  );
}

function Steps(props: { place: Place; facts: LineFacts; engineHost: string }) {
  const steps = installSteps(props.place, props.facts, props.engineHost);
  return (
    <>
      <h4 className={styles['name']}>{words.steps}</h4>
      <ol className={styles['steps']}>
        {steps.map(({ sentence, command }, n) => (
          <li key={sentence}>
            <p>{sentence}</p>
            {command !== null && <CopyField label={words.command(n + 1)} value={command} />}
          </li>
        ))}
      </ol>
    </>
  );
}

/**
 * A name may resolve to another address there: then it binds to all addresses, as the sentence about the port explains.
 */
const bindOf = (host: string) => (/^[\d.]+$|:/u.test(host) ? host : '0.0.0.0');
