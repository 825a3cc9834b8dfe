import { type JSX } from 'preact';
import { type ConsentRequest } from '../oauth.js';
import { inOrder, linesOf, ORDER, type Scope, SCOPES } from '../words.js';

interface Verbs {
  asked: ConsentRequest;
  checked: readonly Scope[];
  change: (checked: Scope[]) => void;
}

/** Fixed lines for what the app cannot do without, and boxes for what its person may take away. */
export function WhatItMayDo({ asked, checked, change }: Verbs): JSX.Element {
  const lines = linesOf(inOrder(asked.scopes.map(({ scope }) => scope)), checked);
  const isFixed = (scope: Scope): boolean => asked.scopes.some((one) => one.scope === scope && one.required);
  const required = lines.filter(isFixed);
  const optional = lines.filter((scope) => !isFixed(scope));
  const calm = optional.filter((scope) => !SCOPES[scope].isWrite);
  const writes = optional.filter((scope) => SCOPES[scope].isWrite);
  const toggle = (scope: Scope, isOn: boolean): void =>
    change(ORDER.filter((each) => (each === scope ? isOn : checked.includes(each))));
  const box = (scope: Scope): JSX.Element => (
    <label class="choice" key={scope}>
      <input
        type="checkbox"
        checked={checked.includes(scope)}
        onChange={({ currentTarget }) => toggle(scope, currentTarget.checked)}
      />
      <span>
        <strong>{SCOPES[scope].may}</strong>
        <span class="quiet">{SCOPES[scope].more}</span>
      </span>
    </label>
  );
  return (
    <section class="card">
      <h2>What it may do</h2>
      {required.length > 0 && (
        <ul class="lines fixed">
          {required.map((scope) => (
            <li key={scope}>
              <strong>{SCOPES[scope].may}</strong> <span class="quiet">{SCOPES[scope].more}</span>
            </li>
          ))}
        </ul>
      )}
      {calm.length > 0 && (
        <fieldset>
          <legend>Uncheck what you do not want it to do</legend>
          {calm.map(box)}
        </fieldset>
      )}
      {writes.length > 0 && (
        <fieldset>
          <legend>Changes without asking you</legend>
          {checked.includes('graph:propose') && (
            <p class="hint">
              It can suggest changes already. Check these only if you do not want to be asked.
            </p>
          )}
          {writes.map(box)}
        </fieldset>
      )}
    </section>
  );
}
