import { type CountryCode, getCountries, Metadata, parsePhoneNumberFromString } from 'libphonenumber-js/core';
import metadataOfAll from 'libphonenumber-js/max/metadata';

/** The parts of libphonenumber's numbering plans that its type declarations leave out. */
interface NumberingPlan {
  /** 0 (the number) for a plan without one */
  nationalPrefix(): string | 0 | undefined;
  type(name: 'MOBILE' | 'FIXED_LINE'): { pattern(): string } | undefined;
}

interface NationalPlan {
  /** digits dialled before the national number inside the country, mostly `0` */
  trunk: string;
  mobile: RegExp | null;
  fixed: RegExp | null;
}

let known: readonly NationalPlan[] | undefined;

/**
 * Every country's plan, built when the first number is met: each look-up then takes microseconds and parses
 * nothing.
 */
function plans(): readonly NationalPlan[] {
  return (known ??= getCountries(metadataOfAll).map(planOf));
}

function planOf(country: CountryCode): NationalPlan {
  const metadata = new Metadata(metadataOfAll);
  metadata.selectNumberingPlan(country);
  const plan = metadata.numberingPlan as unknown as NumberingPlan;
  const patternOf = (name: 'MOBILE' | 'FIXED_LINE'): RegExp | null => {
    const pattern = plan.type(name)?.pattern();
    return pattern ? new RegExp(`^(?:${pattern})$`) : null;
  };
  return { trunk: plan.nationalPrefix() || '', mobile: patternOf('MOBILE'), fixed: patternOf('FIXED_LINE') };
}

/** True if the digits, dialled with a leading 0, reach a fixed or mobile line in some country. */
export function isDialledWithTrunk(digits: string, kind: 'any' | 'mobile'): boolean {
  return plans().some((plan) => {
    if (plan.trunk !== '' && !digits.startsWith(plan.trunk)) return false;
    const national = digits.slice(plan.trunk.length);
    return plan.mobile?.test(national) || (kind === 'any' && plan.fixed?.test(national)) || false;
  });
}

/**
 * The fit of `+digits`: `possible` has a country's calling code and one of its lengths (numbers reserved for
 * fiction included), `valid` is in a range that the country assigns.
 */
export function internationalFit(digits: string): 'none' | 'possible' | 'valid' {
  const number = parsePhoneNumberFromString(`+${digits}`, { extract: false }, metadataOfAll);
  // The cheap test comes first: validity costs many times as much.
  if (!number?.isPossible()) return 'none';
  return number.isValid() ? 'valid' : 'possible';
}
