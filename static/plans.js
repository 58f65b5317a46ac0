// Of a file that is too large here: the plan that takes it, and how to get there.

import { advice } from "./notes.js";
import { widget } from "./page.js";
import { t } from "./texts.js";
import { size } from "./words.js";

/** By what they take, the smallest first. */
const plans = JSON.parse(widget.dataset.plans);

export function larger(bytes) {
  const plan = plans.find((each) => each.bytes >= bytes);
  if (!plan) return [t("No plan takes files of this size.")];
  return [t("The {plan} plan takes files of up to {size}.", { plan: plan.name, size: size(plan.bytes) }), " ", ...advice(plan.advice)];
}
