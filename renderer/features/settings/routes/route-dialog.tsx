import { LIMITS } from '../../../../shared/limits.ts';
import type { DeliveryRoute } from '../../../api/delivery-routes.ts';
import type { Provider } from '../../../api/settings.ts';
import { FormDialog } from '../../../parts/forms/form-dialog.tsx';
import { FormProblem } from '../../../parts/forms/form-problem.tsx';
import { t } from '../../../texts/delivery-routes.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { TextField } from '../../../ui/field.tsx';
import { announce } from '../../../ui/live-region.tsx';
import { AccountFields } from './account-fields.tsx';
import { type RouteForm, useRouteForm } from './route-form.ts';
import styles from './routes.module.css';

const words = t.deliveryRoutes.form;

/** A new route, or everything of one that is there but its account, which nobody is shown. */
export function RouteDialog(props: {
  route?: DeliveryRoute;
  providers: readonly Provider[];
  onClose: () => void;
}) {
  const { route, providers, onClose } = props;
  const form = useRouteForm(route, providers, (saved) => {
    const { added, saved: changed } = t.deliveryRoutes.said;
    announce(route ? changed(saved.name) : added(saved.name));
    onClose();
  });
  const { error, isStale, isGone, isPending, reload, submit } = form;
  return (
    <FormDialog
      title={route ? words.changeTitle(route.name) : words.addTitle}
      words={words}
      width="wide"
      isPending={isPending}
      blocked={isGone ? words.isGone : isStale ? words.reloadFirst : null}
      onSave={submit}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        value={form.typed.name}
        maxLength={LIMITS.deliveryRoute.name}
        error={form.problems.name}
        autoFocus
        autoComplete="off"
        onChange={(name) => form.type({ name })}
      />
      <ChoiceFields form={form} />
      <AccountFields form={form} providers={providers} />
      <SenderFields form={form} />
      <FormProblem
        {...{ error, isStale, words, reload }}
        sentence={isGone ? words.goneSentence : undefined}
      />
    </FormDialog>
  );
}

/** Fields for the faxes that take the route, and for its place in the order. */
function ChoiceFields({ form: { typed, type, problems } }: { form: RouteForm }) {
  return (
    <>
      <TextField
        label={words.prefixes}
        help={words.prefixesHelp}
        value={typed.prefixes}
        error={problems.prefixes}
        autoComplete="off"
        onChange={(prefixes) => type({ prefixes })}
      />
      <div className={styles['pair']}>
        <TextField
          label={words.priority}
          help={words.priorityHelp}
          value={typed.priority}
          maxLength={3}
          inputMode="numeric"
          error={problems.priority}
          autoComplete="off"
          onChange={(priority) => type({ priority })}
        />
        <TextField
          label={words.lines}
          help={words.linesHelp}
          value={typed.lines}
          maxLength={3}
          inputMode="numeric"
          error={problems.lines}
          autoComplete="off"
          onChange={(lines) => type({ lines })}
        />
      </div>
    </>
  );
}

/** As whom faxes leave, and what else is decided of it. */
function SenderFields({ form: { typed, type, problems } }: { form: RouteForm }) {
  return (
    <>
      <div className={styles['pair']}>
        <TextField
          label={words.ownNumber}
          type="tel"
          help={words.ownNumberHelp}
          value={typed.ownNumber}
          maxLength={40}
          error={problems.ownNumber}
          autoComplete="off"
          onChange={(ownNumber) => type({ ownNumber })}
        />
        <TextField
          label={words.headerName}
          help={words.headerNameHelp}
          value={typed.headerName}
          maxLength={LIMITS.headerTextLength}
          error={problems.headerName}
          autoComplete="off"
          onChange={(headerName) => type({ headerName })}
        />
      </div>
      <Checkbox isSelected={typed.isNextAllowed} onChange={(isNextAllowed) => type({ isNextAllowed })}>
        {words.nextAllowed}
      </Checkbox>
      <Checkbox isSelected={typed.isOn} onChange={(isOn) => type({ isOn })}>
        {words.isOn}
      </Checkbox>
    </>
  );
}
