import { useQuery } from '@tanstack/react-query';
import { INTERNAL_BACKEND } from '../../../shared/backends.ts';
import { contextQuery } from '../../api/queries.ts';
import { cardRoutesQuery, type RateCard } from '../../api/rate-cards.ts';
import { isRefused, sentenceOf } from '../../api/sentence.ts';
import { FormDialog } from '../../parts/forms/form-dialog.tsx';
import { FormProblem } from '../../parts/forms/form-problem.tsx';
import { t } from '../../texts/costs.ts';
import { Choice } from '../../ui/choice.tsx';
import { TextField, type TextFieldProps } from '../../ui/field.tsx';
import { announce } from '../../ui/live-region.tsx';
import styles from './costs.module.css';
import { type FieldName, type RateCardForm, useRateCardForm } from './rate-card-form.ts';

const words = t.costs.form;

/** A new rate card, or new prices of one, which are its next version. */
export function RateCardDialog(props: {
  card?: RateCard;
  /** Name of the card. */
  name?: string;
  /** Preset currency of a new card. */
  currency?: string | undefined;
  onClose: () => void;
}) {
  const { card, name = '', currency = '', onClose } = props;
  const form = useRateCardForm(card, currency, () => {
    announce(card ? words.saved : words.added);
    onClose();
  });
  const isStale = isRefused(form.error, 'stale', 'no_such_rate_card');
  // The field shows this error.
  const error = isRefused(form.error, 'rate_prefix_taken') ? null : form.error;
  return (
    <FormDialog
      title={card ? words.changeTitle(name) : words.addTitle}
      words={{ cancel: words.cancel, save: card ? words.save : words.add }}
      width="wide"
      isPending={form.isPending}
      blocked={isStale ? words.reloadFirst : null}
      onSave={form.save}
      onClose={onClose}
    >
      {card && <p className={styles['quiet']}>{words.changeSentence}</p>}
      <div className={styles['row']}>
        {!card && <ProviderField form={form} />}
        <Line of={form} name="currency" label={words.currency} help={words.currencyHelp} maxLength={3} />
      </div>
      {!card && <RouteField form={form} />}
      <PriceFields form={form} isFirst={card !== undefined} />
      <Line of={form} name="prefixes" label={words.prefixes} help={words.prefixesHelp} inputMode="tel" />
      <div className={styles['row']}>
        <Line of={form} name="source" label={words.source} help={words.sourceHelp} maxLength={500} />
        <Line of={form} name="from" label={words.from} help={words.fromHelp} type="datetime-local" />
      </div>
      <FormProblem {...{ error, isStale, words }} reload={form.reload} />
    </FormDialog>
  );
}

function PriceFields({ form, isFirst }: { form: RateCardForm; isFirst: boolean }) {
  return (
    <>
      <div className={styles['row']}>
        <Line of={form} name="perPage" label={words.perPage} inputMode="decimal" autoFocus={isFirst} />
        <Line of={form} name="perMinute" label={words.perMinute} inputMode="decimal" />
        <Line of={form} name="perFax" label={words.perFax} inputMode="decimal" />
      </div>
      {form.typed.perMinute.trim() !== '' && (
        <div className={styles['row']}>
          <Line
            of={form}
            name="increment"
            label={words.increment}
            help={words.incrementHelp}
            inputMode="numeric"
          />
          <Line of={form} name="minimum" label={words.minimum} help={words.minimumHelp} inputMode="numeric" />
        </div>
      )}
      <div className={styles['row']}>
        <Line of={form} name="fee" label={words.fee} inputMode="decimal" />
        <Line of={form} name="pages" label={words.pages} help={words.pagesHelp} inputMode="numeric" />
      </div>
    </>
  );
}

/** A line of the form, whose sentence stands below it. */
function Line({
  of: form,
  name,
  ...rest
}: { of: RateCardForm; name: Exclude<FieldName, 'backend' | 'routeId'> } & Omit<TextFieldProps, 'name'>) {
  const taken = name === 'prefixes' && isRefused(form.error, 'rate_prefix_taken');
  return (
    <TextField
      {...rest}
      value={form.typed[name]}
      error={form.faultOf(name) ?? (taken ? sentenceOf(form.error) : null)}
      autoComplete="off"
      onBlur={() => form.leave(name)}
      onChange={(text) => form.type({ [name]: text })}
    />
  );
}

function ProviderField({ form }: { form: RateCardForm }) {
  const names = useQuery(contextQuery).data?.provider_names ?? {};
  const options = Object.entries(names)
    .filter(([backend]) => backend !== INTERNAL_BACKEND)
    .map(([id, label]) => ({ id, label }));
  return (
    <Choice
      label={words.provider}
      placeholder={words.choose}
      error={form.faultOf('backend')}
      options={options}
      value={form.typed.backend}
      onChange={(backend) => form.type({ backend, routeId: null })}
    />
  );
}

const ALL = 'all';

/** Field for the route of the card, where the provider has several. */
function RouteField({ form }: { form: RateCardForm }) {
  const { backend, routeId } = form.typed;
  const own = useQuery(cardRoutesQuery).data?.filter((route) => route.backend === backend) ?? [];
  if (own.length === 0) return null;
  return (
    <Choice
      label={words.route}
      help={words.routeHelp}
      options={[{ id: ALL, label: words.allRoutes }, ...own.map(({ id, name }) => ({ id, label: name }))]}
      value={routeId ?? ALL}
      onChange={(id) => form.type({ routeId: id === ALL ? null : id })}
    />
  );
}
