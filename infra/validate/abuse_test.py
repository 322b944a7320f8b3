"""Checks what limits the costs: the web ACL and the budget; and that infra/COSTS.md uses the defaults."""

import re
import unittest
from pathlib import Path

from samtranslator.yaml_helper import yaml_parse


def read(path):
    return yaml_parse(Path(path).read_text(encoding="utf-8"))


class WebAcl(unittest.TestCase):
    (acl,) = read("infra/waf.yaml")["Resources"].values()
    rules = {rule["Name"]: rule for rule in acl["Properties"]["Rules"]}

    def test_is_for_cloudfront_and_lets_pass_what_no_rule_blocks(self):
        self.assertEqual((self.acl["Properties"]["Scope"], self.acl["Properties"]["DefaultAction"]), ("CLOUDFRONT", {"Allow": {}}))

    def test_each_address_has_limits(self):
        """For POST requests, for lists, which cost the most, and for all requests."""
        limits = {name: rule["Statement"]["RateBasedStatement"] for name, rule in self.rules.items() if "RateBasedStatement" in rule["Statement"]}
        self.assertEqual({limit["AggregateKeyType"] for limit in limits.values()}, {"IP"})
        self.assertEqual({name: (limit["Limit"]["Ref"], limit.get("ScopeDownStatement", {}).get("ByteMatchStatement", {}).get("SearchString"))
                          for name, limit in limits.items()},
                         {"writes-of-one-address": ("WriteLimit", "POST"), "lists-of-one-address": ("ListLimit", "/attendees"),
                          "requests-of-one-address": ("RequestLimit", None)})
        for name in limits:
            self.assertEqual(self.rules[name]["Action"]["Block"]["CustomResponse"]["ResponseCode"], 429, name)

    def test_bodies_are_not_blocked(self):
        """Texts of events may contain anything: AWS's rules about bodies only count."""
        group = self.rules["common"]["Statement"]["ManagedRuleGroupStatement"]
        counted = {o["Name"] for o in group["RuleActionOverrides"] if o["ActionToUse"] == {"Count": {}}}
        self.assertLessEqual({"SizeRestrictions_BODY", "CrossSiteScripting_BODY", "GenericLFI_BODY", "GenericRFI_BODY", "EC2MetaDataSSRF_BODY"}, counted)


class Budget(unittest.TestCase):
    def test_mails_what_was_spent_and_what_will_be(self):
        (budget,) = read("infra/budget.yaml")["Resources"].values()
        mails = budget["Properties"]["NotificationsWithSubscribers"]
        self.assertEqual([mail["Notification"]["NotificationType"] for mail in mails], ["ACTUAL", "FORECASTED"])
        for mail in mails:
            self.assertEqual(mail["Subscribers"], [{"SubscriptionType": "EMAIL", "Address": {"Ref": "Email"}}])


class Costs(unittest.TestCase):
    text = Path("infra/COSTS.md").read_text(encoding="utf-8")

    def test_counts_with_the_defaults(self):
        defaults = {name: p.get("Default") for name, p in read("template.yaml")["Parameters"].items()}
        self.assertEqual({name: int(rate) for rate, name in re.findall(r"\| (\d+) \(`(\w+Rate)`\) \|", self.text)},
                         {name: value for name, value in defaults.items() if name.endswith("Rate")})
        limits = {name: p["Default"] for name, p in read("infra/waf.yaml")["Parameters"].items()}
        self.assertIn("{WriteLimit} POST requests, {ListLimit} lists and {RequestLimit:,} requests of any kind".format_map(limits), " ".join(self.text.split()))


if __name__ == "__main__":
    unittest.main()
