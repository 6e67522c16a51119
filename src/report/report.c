#include "report/report.h"

struct report_counts report_count(const struct finding_list *list)
{
    struct report_counts counts = {.all = list->items.count};
    for (size_t i = 0; i < list->items.count; i++) {
        const struct finding *finding = list->items.items[i];
        enum finding_kind kind = finding_rule_info(finding->rule)->kind;
        counts.by_kind[kind]++;
        counts.by_grade[finding->grade]++;
        counts.by_kind_and_grade[kind][finding->grade]++;
    }
    return counts;
}
